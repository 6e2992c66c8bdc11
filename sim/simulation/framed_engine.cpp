#include "sim/simulation/framed_engine.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "sim/activity/map_options.h"
#include "sim/core/error.h"
#include "sim/options/physics_options.h"

namespace orrery::sim {

namespace {

/// A publishing engine's four floats a body, back in the dataset's units.
void scale_packed(const Target& target, std::size_t bodies, const Frame& frame) {
  const double acceleration = frame.acceleration();
  for (std::size_t i = 0; i < 4 * bodies; ++i) {
    const bool last = i % 4 == 3;
    const double x = last ? frame.mass : frame.length;
    const double v = last ? acceleration * acceleration : frame.velocity;
    target.position[i] = static_cast<float>(target.position[i] * x);
    target.velocity[i] = static_cast<float>(target.velocity[i] * v);
  }
}

/// Positions that count from `origin` instead of 0.
void move_field(Physics& physics, const DVec3& origin) {
  physics.field_x -= origin.x;
  physics.field_y -= origin.y;
  physics.field_z -= origin.z;
}

void scale_sample(ForceSample& sample, const Frame& frame) {
  for (auto& x : sample.position) x = rescaled(x, frame.length);
  for (auto& v : sample.velocity) v = rescaled(v, frame.velocity);
  for (auto& a : sample.acceleration) a = rescaled(a, frame.acceleration());
  for (auto& m : sample.mass) m = static_cast<float>(m * frame.mass);
  for (auto& q : sample.charge) q = static_cast<float>(q * frame.charge);
  sample.physics = in_frame(sample.physics, frame);
  sample.time *= frame.time();
}

void scale_engine_state(EngineState& state, const Frame& frame) {
  for (auto& x : state.position) x = rescaled(x, frame.length);
  for (auto& v : state.velocity) v = rescaled(v, frame.velocity);
  state.time *= frame.time();
}

/// What a state's form ends with where its arrays are in a frame.
std::string frame_form(const Frame& frame) {
  return fmt::format(" in frame {} {} {} {}", frame.mass, frame.length, frame.velocity, frame.charge);
}

MapBox rescaled_box(const MapBox& box, double factor) {
  const auto edge = [&](float value) { return static_cast<float>(value * factor); };
  return {edge(box.left), edge(box.right), edge(box.bottom), edge(box.top)};
}

MapBox moved_box(const MapBox& box, MapPlane plane, const DVec3& origin) {
  const auto axes = map_axes(plane);
  const std::array<double, 3> from{origin.x, origin.y, origin.z};
  const auto edge = [&](float value, int axis) {
    return static_cast<float>(value - from.at(static_cast<std::size_t>(axis)));
  };
  return {edge(box.left, axes.column), edge(box.right, axes.column), edge(box.bottom, axes.row),
          edge(box.top, axes.row)};
}

/// A map whose edges are given in the dataset's units; others are fitted to the bodies where they are.
void scale_map(Configuration& configuration, const Frame& frame, const DVec3& origin) {
  const auto& how = configuration.choice("map-box");
  if (!wants_map(configuration) || how == "fit" || how == "all") return;
  const auto asked = map_spec(configuration, {});
  const auto box = rescaled_box(moved_box(asked.box, asked.plane, origin), frame.length);
  configuration.set("map-box", std::string("custom"));
  configuration.set("map-left", double{box.left});
  configuration.set("map-right", double{box.right});
  configuration.set("map-bottom", double{box.bottom});
  configuration.set("map-top", double{box.top});
}

}  // namespace

FramedEngine::FramedEngine(std::unique_ptr<Engine> inner, const OptionTable& options,
                           const Configuration& configuration)
    : inner_(std::move(inner)), options_(options), configuration_(configuration), kind_(inner_->kind()) {}

/// What the engine within is told.
Configuration FramedEngine::within(const Configuration& configuration) const {
  if (changes_nothing()) return configuration;
  auto own = configuration;
  auto physics = physics_of(configuration);
  move_field(physics, origin_);
  set_physics(own, in_frame(physics, frame_));
  scale_map(own, frame_, origin_);
  return own;
}

void FramedEngine::load(const Bodies& bodies, double time) {
  const auto before =
      std::exchange(frame_, frame_of(bodies, physics_of(configuration_).gravitational_constant));
  const auto origin_before = std::exchange(origin_, bodies.origin);
  const auto is_other = [&] { return frame_ != before || origin_ != origin_before; };
  try {
    if (is_other()) inner_->configure(within(configuration_));
    if (frame_.plain()) {
      inner_->load(bodies, time);
    } else {
      auto own = bodies;
      scale_state(own, frame_);
      inner_->load(own, time * frame_.time());
    }
  } catch (...) {
    // It still has what it had before.
    const bool goes_back = is_other();
    frame_ = before;
    origin_ = origin_before;
    if (goes_back) inner_->configure(within(configuration_));
    throw;
  }
  bodies_ = bodies.size();
  kind_.target_space = frame_.plain() ? inner_->kind().target_space : Target::Space::host;
}

void FramedEngine::configure(const Configuration& configuration) {
  // What is refused is named by the numbers that were asked for.
  options_.check(configuration);
  inner_->configure(within(configuration));
  configuration_ = configuration;
}

void FramedEngine::offer(const Target& target) {
  if (frame_.plain()) inner_->offer(target);
}

void FramedEngine::publish(const Target& target) {
  if (!frame_.plain() && target.space != Target::Space::host)
    throw Error("bodies of very large or small numbers are published into host memory");
  inner_->publish(target);
  if (!frame_.plain() && target.position != nullptr) scale_packed(target, bodies_, frame_.inverse());
}

MapSpec FramedEngine::map() const {
  auto spec = inner_->map();
  if (!frame_.plain() && spec.size > 0) spec.box = rescaled_box(spec.box, 1.0 / frame_.length);
  return spec;
}

void FramedEngine::read_back(Bodies& bodies) {
  // Bodies that the engine leaves as they are stay as they are.
  scale_state(bodies, frame_);
  inner_->read_back(bodies);
  scale_state(bodies, frame_.inverse());
}

/// Positions, velocities and the time are the dataset's; the arrays of the engine within are those of its
/// frame.
EngineState FramedEngine::save_state() {
  auto state = inner_->save_state();
  if (frame_.plain()) return state;
  scale_engine_state(state, frame_.inverse());
  state.form += frame_form(frame_);
  return state;
}

bool FramedEngine::restore_state(const EngineState& state) {
  if (frame_.plain()) return inner_->restore_state(state);
  auto own = state;
  scale_engine_state(own, frame_);
  const auto ending = frame_form(frame_);
  const bool same_frame = own.form.ends_with(ending);
  if (same_frame) {
    own.form.erase(own.form.size() - ending.size());
  } else {
    own.arrays.clear();
  }
  return inner_->restore_state(own) && same_frame;
}

EngineStatus FramedEngine::status() const {
  auto status = inner_->status();
  if (!frame_.plain()) status.time /= frame_.time();
  return status;
}

Arrivals FramedEngine::collect() {
  auto arrivals = inner_->collect();
  if (changes_nothing() || !arrivals.forces) return arrivals;
  scale_sample(*arrivals.forces, frame_.inverse());
  move_field(arrivals.forces->physics, -origin_);
  return arrivals;
}

}  // namespace orrery::sim
