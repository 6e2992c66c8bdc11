#include "lab/setup/starting_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab/setup/machine.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
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

/// Of the first GPU; 0 without one.
std::uint64_t device_memory() {
#ifdef ORRERY_CUDA
  static const auto devices = sim::cuda::devices();
  if (!devices.empty()) return devices.front().memory;
#endif
  return 0;
}

}  // namespace

void apply_scene(sim::Configuration& configuration, const sim::Scene& scene) {
  sim::set_physics(configuration, scene.physics);
  configuration.set("speed", scene.speed);
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
