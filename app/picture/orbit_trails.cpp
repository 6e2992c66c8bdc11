#include "app/picture/orbit_trails.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/picture/trail_style.h"
#include "render/error.h"
#include "sim/options/physics_options.h"

namespace orrery::app {

namespace {

/// Corners of an ellipse, the first one twice: enough for an arc of a pixel's depth at any usual size.
constexpr std::size_t ellipse_rows = 257;

/// Bodies that have none: as if all had one density, the heaviest a thousandth of the scene.
std::vector<double> radii_of(const sim::Scene& scene) {
  const auto& bodies = scene.bodies;
  if (bodies.size() >= few_enough_for_trails) return {};
  if (std::ranges::any_of(scene.radii, [](double radius) { return radius > 0.0; })) return scene.radii;
  std::vector<double> radii;
  double extent = 0.0;
  for (const auto& x : bodies.position) extent = std::max(extent, double{sim::norm(x)});
  const double heaviest = std::max(1e-30, double{std::ranges::max(bodies.mass)});
  for (const double mass : bodies.mass)
    radii.push_back(1e-3 * extent * std::cbrt(std::max(mass, 0.0) / heaviest));
  return radii;
}

}  // namespace

void OrbitTrails::open(const sim::Scene& scene, const SceneSummary& summary) {
  bodies_ = scene.bodies.size();
  names_ = scene.names;
  galaxies_ = names_.empty() ? std::vector<std::uint32_t>() : scene.bodies.galaxy;
  radii_ = radii_of(scene);
  last_.reset();
  configuration_ = {};
  positions_.clear();
  arrows_.open(scene, summary);
  if (trails_) trails_->follow({});
  if (ellipses_) ellipses_->follow({});
}

/// Trails of a state that is gone back from.
void OrbitTrails::forget_if_back(const ShownState& state) {
  if (last_ && trails_ && (state.resets != last_->resets || state.steps < last_->steps)) trails_->clear();
}

void OrbitTrails::follow(const TrailOptions& options) {
  auto plan = trail_plan(options, bodies_);
  if (!trails_ && plan.bodies.empty()) return;
  if (!trails_) trails_.emplace();
  trails_->follow(std::move(plan));
}

bool OrbitTrails::take(const Look& look, const render::BodyBuffers& buffers, int slot,
                       const ShownState& state) {
  const bool is_new = last_ != state;
  const auto& configuration = look.configuration;
  if (!is_new && configuration == configuration_ && !arrows_.waiting()) return false;
  forget_if_back(state);
  last_ = state;
  if (configuration != configuration_) {
    configuration_ = configuration;
    follow(look.trails);
  }
  if (trails_ && (is_new || trails_->rows() == 0)) trails_->append(buffers, slot, state.time);
  arrows_.take(look, buffers, slot, is_new);
  const bool ellipses = sim::lists(look.trails.marks, "ellipses"),
             names = sim::lists(look.trails.marks, "names");
  const bool asked = (ellipses && !shows_ellipses_) || (names && !shows_names_);
  shows_ellipses_ = ellipses;
  shows_names_ = names;
  if (is_new || asked) look_closely(configuration, buffers, slot);
  return true;
}

void OrbitTrails::look_closely(const sim::Configuration& configuration, const render::BodyBuffers& buffers,
                               int slot) {
  positions_.clear();
  const bool names = shows_names_ && !names_.empty();
  if (buffers.bodies() >= few_enough_for_trails || (!names && !shows_ellipses_)) return;
  positions_ = buffers.read_position(slot);
  if (shows_ellipses_) find_ellipses(configuration, buffers.read_velocity(slot));
  if (!names) positions_.clear();
}

void OrbitTrails::find_ellipses(const sim::Configuration& configuration,
                                const std::vector<float>& velocities) {
  const auto physics = sim::physics_of(configuration);
  std::vector<sim::BoundPair> pairs;
  if (physics.law == &sim::gravity_law)
    pairs = sim::bound_pairs({positions_, velocities}, physics.gravitational_constant);
  if (!ellipses_ && pairs.empty()) return;
  if (!ellipses_) ellipses_.emplace();
  render::TrailPlan plan{.rows = ellipse_rows};
  for (const auto& pair : pairs) plan.bodies.push_back(static_cast<std::uint32_t>(pair.body));
  ellipses_->follow(plan);
  if (pairs.empty()) return;
  std::vector<glm::vec4> points(pairs.size() * ellipse_rows);
  for (std::size_t column = 0; column < pairs.size(); ++column)
    append_points(pairs[column], column, pairs.size(), points);
  ellipses_->fill(points);
}

/// From the body once around.
void OrbitTrails::append_points(const sim::BoundPair& pair, std::size_t column, std::size_t columns,
                                std::vector<glm::vec4>& points) const {
  const auto place = [&](std::size_t body) {
    const float* from = &positions_[4 * body];
    return sim::DVec3{from[0], from[1], from[2]};
  };
  const sim::DVec3 heavy = place(pair.heavy);
  const double start = pair.ellipse.anomaly_of(place(pair.body) - heavy);
  for (std::size_t row = 0; row < ellipse_rows; ++row) {
    const double part = static_cast<double>(row) / static_cast<double>(ellipse_rows - 1);
    const auto at = sim::Vec3(heavy + pair.ellipse.at(start + 2.0 * std::numbers::pi * part));
    points[row * columns + column] = {at.x, at.y, at.z, static_cast<float>(part)};
  }
}

}  // namespace orrery::app
