#include "lab/setup/many_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/cpu/kernel.h"
#include "sim/cpu/tree/tree_options.h"
#include "sim/options/physics_options.h"
#include "sim/physics/sources.h"

namespace orrery::lab {

namespace {

constexpr double most_pairs = 1e10;

const sim::CpuKernel* approximate_kernel() {
  const auto kernels = sim::cpu_kernels();
  const auto found = std::ranges::find_if(kernels, &sim::CpuKernel::approximate);
  return found == kernels.end() ? nullptr : *found;
}

double pairs_of(const sim::Scene& scene, const sim::ForceLaw& law) {
  const auto& bodies = scene.bodies;
  const auto galaxies = bodies.galaxies();
  const auto sources =
      sim::sources_of(galaxies, {bodies.position, bodies.velocity, bodies.mass, bodies.charge}, law);
  return sim::interactions_of(galaxies, sources);
}

bool chooses_kernel(const std::string& assignment) { return assignment.starts_with("kernel="); }

}  // namespace

bool has_too_many_pairs(const sim::Configuration& configuration, const sim::Scene& scene) {
  if (configuration.choice("engine") != "cpu" || approximate_kernel() == nullptr) return false;
  const auto& law = *sim::physics_of(configuration).law;
  return law.acceleration_single == nullptr && pairs_of(scene, law) > most_pairs;
}

std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments) {
  const auto usual = table.defaults().choice("kernel");
  if (configuration.choice("kernel") != usual || std::ranges::any_of(assignments, chooses_kernel)) return {};
  if (!has_too_many_pairs(configuration, scene)) return {};
  const auto* kernel = approximate_kernel();
  configuration.set("kernel", std::string(kernel->name));
  return fmt::format(
      "{} bodies: kernel={} takes far ones together, with a median error below {:.0e}; --kernel {} sums "
      "every pair",
      scene.bodies.size(), kernel->name, sim::stated_error(configuration), usual);
}

}  // namespace orrery::lab
