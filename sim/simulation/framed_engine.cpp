#include "sim/simulation/framed_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <utility>

#include "sim/activity/map_options.h"
#include "sim/bodies/origin.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::sim {

namespace {

constexpr std::size_t speeds_looked_at = 4096;

struct UsualRange {
  double least, most;
  /// 0 says nothing.
  bool holds(double value) const { return value == 0.0 || (value >= least && value <= most); }
};
constexpr UsualRange usual_length{1e-6, 1e6}, usual_velocity{1e-6, 1e6}, usual_charge{1e-6, 1e6};
constexpr UsualRange usual_mass{1e-12, 1e12};
/// A body's mass over a distance cubed.
constexpr UsualRange usual_weight{1e-24, 1e24};

/// Magnitudes of the numbers of bodies; 0 where there are none.
struct Magnitudes {
  double mass = 0.0, length = 0.0, velocity = 0.0, charge = 0.0;
  double mean_mass = 0.0;

  bool usual() const {
    return usual_mass.holds(mass) && usual_length.holds(length) && usual_velocity.holds(velocity) &&
           usual_charge.holds(charge) &&
           (length == 0.0 || usual_weight.holds(mean_mass / (length * length * length)));
  }
};

double usual_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A typical speed; for bodies at rest that of a circular orbit.
double speed_of(const Bodies& bodies, double gm, double size) {
  double fastest = 0.0;
  std::vector<double> values;
  const std::size_t stride = bodies.size() / speeds_looked_at + 1;
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    values.push_back(norm(static_cast<DVec3>(bodies.velocity[i])));
    fastest = std::max(fastest, values.back());
  }
  const double usual = usual_of(values);
  if (usual > 0.0 || fastest > 0.0) return usual > 0.0 ? usual : fastest;
  return size > 0.0 ? std::sqrt(gm / size) : 0.0;
}

Magnitudes magnitudes_of(const Bodies& bodies, double gravitational_constant) {
  Magnitudes found;
  if (bodies.empty()) return found;
  const auto count = static_cast<double>(bodies.size());
  found.mass = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  found.mean_mass = found.mass / count;
  found.length = spread_of(bodies.position).radius;
  found.velocity = speed_of(bodies, gravitational_constant * found.mass, found.length);
  for (const float charge : bodies.charge) found.charge += std::abs(double{charge});
  found.charge /= count;
  return found;
}

/// The power of two that brings `value` to 1..2.
double to_one(double value) {
  return value > 0.0 && std::isfinite(value) ? std::ldexp(1.0, -std::ilogb(value)) : 1.0;
}

constexpr double too_fast = 256.0;

/// A multiple of a power of two: a number of single precision with few digits.
double round_velocity(double value, double radius) {
  if (value == 0.0 || std::abs(value) < too_fast * radius) return 0.0;
  const int grain = std::max(radius > 0.0 ? std::ilogb(radius) : -150, std::ilogb(value) - 20);
  return std::ldexp(std::round(std::ldexp(value, -grain)), grain);
}

/// From an engine's numbers back to those of the dataset, seen from where `place` is 0.
VertexFrame vertex_frame(const Frame& to_engine, const DVec3& place, const DVec3& motion) {
  const auto back = to_engine.inverse();
  return {.length = back.length,
          .mass = back.mass,
          .velocity = back.velocity,
          .square = back.acceleration() * back.acceleration(),
          .place = place,
          .motion = motion};
}

/// True if nothing looks at absolute places or velocities.
bool may_move(const Configuration& configuration) {
  const auto physics = physics_of(configuration);
  return !physics.law->uses_charges && !physics.field->acts() && physics.dimensions == 3 &&
         !wants_map(configuration);
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

constexpr std::string_view frame_mark = " in frame ";
/// Arrays of a state in a moving frame: there positions have digits that they have not where people see them.
constexpr std::string_view moving_position = "moving-position", moving_velocity = "moving-velocity";

/// Suffix of a state's form whose arrays are in a frame.
std::string frame_form(const Frame& frame) {
  return fmt::format("{}{} {} {} {}", frame_mark, frame.mass, frame.length, frame.velocity, frame.charge);
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
  const auto how = map_options(configuration).box.word;
  if (!wants_map(configuration) || how == "fit" || how == "all") return;
  const auto asked = map_spec(configuration, {});
  const auto box = rescaled_box(moved_box(asked.box, asked.plane, origin), frame.length);
  configuration.set("map-box", map_box_text(box));
}

}  // namespace

DVec3 common_velocity(const Bodies& bodies) {
  if (bodies.size() < 2) return {};
  // Spread and rounding are found as for places.
  const auto [centre, radius] = spread_of(bodies.velocity);
  const DVec3 common{round_velocity(centre.x, radius), round_velocity(centre.y, radius),
                     round_velocity(centre.z, radius)};
  return keeps_bits(bodies.velocity, common) ? common : DVec3{};
}

void see_from(std::vector<Vec3>& position, std::vector<Vec3>& velocity, const DVec3& place,
              const DVec3& of_place) {
  for (auto& x : position) x = static_cast<Vec3>(DVec3(x) - place);
  for (auto& v : velocity) v = static_cast<Vec3>(DVec3(v) - of_place);
}

Frame frame_of(const Bodies& bodies, double gravitational_constant) {
  const auto found = magnitudes_of(bodies, gravitational_constant);
  if (found.usual()) return {};
  return {to_one(found.mass), to_one(found.length), to_one(found.velocity), to_one(found.charge)};
}

Vec3 rescaled(const Vec3& v, double factor) {
  return {static_cast<float>(v.x * factor), static_cast<float>(v.y * factor),
          static_cast<float>(v.z * factor)};
}

void scale_state(Bodies& bodies, const Frame& frame) {
  if (frame.plain()) return;
  for (auto& x : bodies.position) x = rescaled(x, frame.length);
  for (auto& v : bodies.velocity) v = rescaled(v, frame.velocity);
  for (auto& m : bodies.mass) m = static_cast<float>(m * frame.mass);
  for (auto& q : bodies.charge) q = static_cast<float>(q * frame.charge);
}

Physics in_frame(Physics physics, const Frame& frame) {
  const double mass = frame.mass, length = frame.length, velocity = frame.velocity;
  const double charges = frame.charge * frame.charge;
  physics.gravitational_constant *= length * velocity * velocity / mass;
  physics.softening *= length;
  physics.step_length *= length;
  physics.time_step *= frame.time();
  physics.coulomb *= mass * velocity * velocity * length / charges;
  physics.magnetic *= mass * length / charges;
  physics.field_mass *= mass;
  physics.field_speed *= velocity;
  physics.field_radius *= length;
  physics.field_height *= length;
  physics.field_x *= length;
  physics.field_y *= length;
  physics.field_z *= length;
  return physics;
}

FramedEngine::FramedEngine(std::unique_ptr<Engine> engine, const OptionTable& options,
                           const Configuration& configuration)
    : EngineDecorator(std::move(engine)), options_(options), configuration_(configuration) {}

/// The configuration for the inner engine.
Configuration FramedEngine::within(const Configuration& configuration) const {
  if (changes_nothing()) return configuration;
  auto own = configuration;
  auto physics = physics_of(configuration);
  move_field(physics, seen_.origin);
  set_physics(own, in_frame(physics, seen_.frame));
  scale_map(own, seen_.frame, seen_.origin);
  return own;
}

void FramedEngine::load_in_frame(const Bodies& bodies, double time) {
  if (plain()) return inner().load(bodies, time);
  auto own = bodies;
  see_from(own.position, own.velocity, place_at(time), seen_.motion);
  scale_state(own, seen_.frame);
  inner().load(own, time * seen_.frame.time());
}

void FramedEngine::load(const Bodies& bodies, double time) {
  const auto before =
      std::exchange(seen_, {.frame = frame_of(bodies, physics_of(configuration_).gravitational_constant),
                            .origin = bodies.origin,
                            .motion = may_move(configuration_) ? common_velocity(bodies) : DVec3{},
                            .start = time});
  const bool is_other = seen_.frame != before.frame || seen_.origin != before.origin;
  try {
    if (is_other) inner().configure(within(configuration_));
    load_in_frame(bodies, time);
    loaded_ = is_still() ? Bodies() : bodies;
  } catch (...) {
    // It still has what it had before.
    seen_ = before;
    if (is_other) inner().configure(within(configuration_));
    throw;
  }
  const auto galaxies = bodies.galaxies();
  context_ = {.bodies = bodies.size(), .galaxies = galaxies.size(), .sizes = galaxy_sizes(galaxies)};
}

/// From now on absolute positions and velocities count.
void FramedEngine::stand_still(const Configuration& configuration) {
  const auto state = save_state();
  const auto motion = std::exchange(seen_.motion, {});
  bool is_configured = false;
  try {
    inner().configure(within(configuration));
    is_configured = true;
    load_in_frame(loaded_, state.time);
    restore_state(state);
  } catch (...) {
    // It goes on flying.
    seen_.motion = motion;
    if (is_configured) {
      inner().configure(within(configuration_));
      load_in_frame(loaded_, state.time);
      restore_state(state);
    }
    throw;
  }
  loaded_ = {};
}

/// A refusal names the numbers that were requested.
void FramedEngine::check(const Configuration& configuration) const {
  auto context = context_;
  if (is_on_gpu(configuration))
    context.device_memory = cuda::smallest_memory(cuda::devices_of(configuration));
  options_.check(configuration, context);
}

void FramedEngine::configure(const Configuration& configuration) {
  check(configuration);
  if (!is_still() && !may_move(configuration))
    stand_still(configuration);
  else
    inner().configure(within(configuration));
  configuration_ = configuration;
}

void FramedEngine::set_next_target(const VertexTarget& target) {
  if (plain()) inner().set_next_target(target);
}

void FramedEngine::write_vertices(const VertexTarget& target) {
  if (plain()) return inner().write_vertices(target);
  const auto frame = vertex_frame(seen_.frame, place_at(status().time), seen_.motion);
  if (target.space == VertexTarget::Space::device) {
    auto framed = target;
    framed.frame = frame;
    return inner().write_vertices(framed);
  }
  inner().write_vertices(target);
  if (target.position != nullptr) reframe(frame, target.position, target.velocity, context_.bodies);
}

MapSpec FramedEngine::map() const {
  auto spec = inner().map();
  if (!seen_.frame.plain() && spec.size > 0) spec.box = rescaled_box(spec.box, 1.0 / seen_.frame.length);
  return spec;
}

void FramedEngine::read_back(Bodies& bodies) {
  const DVec3 place = place_at(status().time);
  const auto see = [&](const DVec3& from, const DVec3& moving) {
    if (!is_still()) see_from(bodies.position, bodies.velocity, from, moving);
  };
  // Bodies that the engine leaves as they are stay as they are.
  see(place, seen_.motion);
  scale_state(bodies, seen_.frame);
  inner().read_back(bodies);
  scale_state(bodies, seen_.frame.inverse());
  see(-place, -seen_.motion);
}

/// Suffix of a state's form whose arrays are in another frame.
std::string FramedEngine::form() const {
  auto form = frame_form(seen_.frame);
  if (!is_still())
    form +=
        fmt::format(" moving {} {} {} from {}", seen_.motion.x, seen_.motion.y, seen_.motion.z, seen_.start);
  return form;
}

/// Positions, velocities and the time are the dataset's; the arrays of the engine within are those of its
/// frame.
EngineState FramedEngine::save_state() {
  auto state = inner().save_state();
  if (plain()) return state;
  if (!is_still()) {
    state.add(moving_position, state.position);
    state.add(moving_velocity, state.velocity);
  }
  scale_engine_state(state, seen_.frame.inverse());
  see_from(state.position, state.velocity, -place_at(state.time), -seen_.motion);
  state.form += form();
  return state;
}

bool FramedEngine::restore_state(const EngineState& state) {
  if (plain() && state.form.find(frame_mark) == std::string::npos) return inner().restore_state(state);
  auto own = state;
  see_from(own.position, own.velocity, place_at(state.time), seen_.motion);
  scale_engine_state(own, seen_.frame);
  const auto ending = form();
  const bool same_frame = !plain() && own.form.ends_with(ending);
  if (same_frame) {
    own.form.erase(own.form.size() - ending.size());
    own.read(moving_position, own.position);
    own.read(moving_velocity, own.velocity);
  } else {
    own.arrays.clear();
    own.form.clear();
  }
  return inner().restore_state(own) && same_frame;
}

EngineStatus FramedEngine::status() const {
  auto status = inner().status();
  if (!seen_.frame.plain()) status.time /= seen_.frame.time();
  return status;
}

/// Forces are the same wherever one looks from: samples of a moving frame stay in it, with all their digits.
Samples FramedEngine::poll() {
  auto arrivals = inner().poll();
  if (changes_nothing() || !arrivals.forces) return arrivals;
  scale_sample(*arrivals.forces, seen_.frame.inverse());
  auto& physics = arrivals.forces->physics;
  move_field(physics, -seen_.origin);
  // Numbers that nothing reads are in no configuration: the inner engine has the usual ones, unscaled.
  Configuration read;
  set_physics(read, physics);
  physics = physics_of(read);
  return arrivals;
}

}  // namespace orrery::sim
