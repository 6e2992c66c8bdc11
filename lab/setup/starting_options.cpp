#include "lab/setup/starting_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "lab/setup/machine.h"
#include "sim/core/error.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/scene/suggest.h"
#include "sim/simulation/simulation_options.h"
#ifdef ORRERY_CUDA
#include "sim/cuda/driver/device.h"
#endif

namespace orrery::lab {

void report_notes(const DatasetRequest& request, const sim::Scene& scene) {
  if (!is_file(request)) return;
  for (const auto& note : scene.notes) fmt::print(stderr, "{}\n", note);
}

namespace {

/// Few bodies are drawn larger: 1.6 pixels from 2000 bodies on, 7 for a handful.
double suggested_size(const sim::Bodies& bodies) {
  const double galaxies = bodies.empty() ? 1.0 : bodies.galaxy.back() + 1.0;
  const double each = std::max(static_cast<double>(bodies.size()) / galaxies, 1.0);
  return std::round(10.0 * std::clamp(1.6 * std::pow(2000.0 / each, 0.25), 1.6, 7.0)) / 10.0;
}

/// The G that the last assignment of it sets, if it makes sense: others are refused when they are applied.
std::optional<double> gravity_in(const std::vector<std::string>& assignments) {
  constexpr std::string_view name = "gravity=";
  std::optional<double> found;
  for (const auto& assignment : assignments) {
    if (!assignment.starts_with(name)) continue;
    double value = 0.0;
    const auto* const end = assignment.data() + assignment.size();
    const auto result = std::from_chars(assignment.data() + name.size(), end, value);
    if (result.ec == std::errc{} && result.ptr == end && value > 0.0 && std::isfinite(value)) found = value;
  }
  return found;
}

/// The external field that the last assignments set; what makes no sense is refused when it is applied.
sim::FieldAt field_in(const sim::Configuration& configuration, const std::vector<std::string>& assignments) {
  const auto is_of_field = [](const std::string& assignment) {
    return assignment.starts_with("external-field=") || assignment.starts_with("field-");
  };
  auto tried = configuration;
  if (std::ranges::none_of(assignments, is_of_field)) return sim::physics_of(tried).field_at();
  sim::OptionTable table;
  sim::add_simulation_options(table);
  for (const auto& assignment : assignments) {
    if (!is_of_field(assignment)) continue;
    try {
      table.assign(tried, assignment);
    } catch (const sim::UsageError&) {
      return sim::Physics{}.field_at();
    }
  }
  return sim::physics_of(tried).field_at();
}

/// Of the first GPU; 0 without one.
std::uint64_t device_memory() {
#ifdef ORRERY_CUDA
  static const auto devices = sim::cuda::devices();
  if (!devices.empty()) return devices.front().memory;
#endif
  return 0;
}

}  // namespace

void apply_scene(sim::Configuration& configuration, const sim::Scene& scene,
                 const std::vector<std::string>& assignments) {
  auto physics = scene.physics;
  auto speed = scene.speed;
  const auto gravity = gravity_in(assignments);
  if (scene.physics_suggested && gravity && *gravity != physics.gravitational_constant) {
    const auto motion = sim::suggest_motion(scene, *gravity);
    physics.time_step = motion.time_step;
    speed = motion.speed;
  }
  if (const auto field = field_in(configuration, assignments); field.field->acts()) {
    const auto motion = sim::within_field(scene.bodies, field, {physics.time_step, speed});
    physics.time_step = motion.time_step;
    speed = motion.speed;
  }
  sim::set_physics(configuration, physics);
  configuration.set("speed", speed);
  configuration.set("size", suggested_size(scene.bodies));
}

void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments) {
  for (const auto& assignment : assignments) table.assign(configuration, assignment);
}

sim::OptionContext option_context(const sim::Scene& scene) {
  const auto& galaxy = scene.bodies.galaxy;
  return {.bodies = scene.bodies.size(),
          .galaxies = galaxy.empty() ? 0 : std::size_t{galaxy.back()} + 1,
          .host_memory = this_machine().memory,
          .device_memory = device_memory(),
          .ranks = static_cast<std::size_t>(sim::world().size()),
          .sizes = sim::galaxy_sizes(scene.bodies.galaxies())};
}

}  // namespace orrery::lab
