#include "lab/setup/many_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/setup/starting_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/options/physics_options.h"
#include "sim/physics/sources.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

/// What an engine calls its kernels, and the one that need not sum every pair.
struct Kernels {
  std::string option;
  std::string approximate;  ///< empty: there is none
  double most_pairs = 0.0;  ///< in a step, before it is chosen
};

Kernels processor_kernels() {
  const auto kernels = sim::cpu_kernels();
  const auto found = std::ranges::find_if(kernels, &sim::CpuKernel::approximate);
  return {"kernel", found == kernels.end() ? std::string() : std::string((*found)->name), 1e10};
}

Kernels gpu_kernels() {
  const auto families = sim::cuda::families();
  const auto found = std::ranges::find_if(families, &sim::cuda::Family::approximate);
  return {"family", found == families.end() ? std::string() : std::string((*found)->name), 1e11};
}

Kernels kernels_of(const sim::Configuration& configuration) {
  return configuration.choice("engine") == "cuda" ? gpu_kernels() : processor_kernels();
}

double pairs_of(const sim::Scene& scene, const sim::ForceLaw& law) {
  const auto& bodies = scene.bodies;
  const auto galaxies = bodies.galaxies();
  const auto sources =
      sim::sources_of(galaxies, {bodies.position, bodies.velocity, bodies.mass, bodies.charge}, law);
  return sim::interactions_of(galaxies, sources);
}

bool chooses(const std::string& assignment, const std::string& option) {
  return assignment.starts_with(option + "=");
}

}  // namespace

bool has_too_many_pairs(const sim::Configuration& configuration, const sim::Scene& scene) {
  const auto kernels = kernels_of(configuration);
  if (kernels.approximate.empty()) return false;
  const auto& law = *sim::physics_of(configuration).law;
  return law.acceleration_single == nullptr && pairs_of(scene, law) > kernels.most_pairs;
}

std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments) {
  const auto kernels = kernels_of(configuration);
  const auto usual = table.defaults().choice(kernels.option);
  const auto by_hand = [&](const std::string& each) { return chooses(each, kernels.option); };
  if (configuration.choice(kernels.option) != usual || std::ranges::any_of(assignments, by_hand)) return {};
  if (!has_too_many_pairs(configuration, scene)) return {};
  auto changed = configuration;
  changed.set(kernels.option, kernels.approximate);
  // Of any option: some integrators need what trees do not sum.
  const auto context = option_context(scene);
  if (!sim::refusal_of(table, changed, context).empty() &&
      sim::refusal_of(table, configuration, context).empty())
    return {};
  if (!table.refusal(table.at(kernels.option), kernels.approximate, configuration, context).empty())
    return {};
  configuration = std::move(changed);
  return fmt::format(
      "{} bodies: {}={} takes far ones together, with a median error below {:.0e}; --set {}={} sums every "
      "pair",
      scene.bodies.size(), kernels.option, kernels.approximate, sim::stated_error(configuration),
      kernels.option, usual);
}

}  // namespace orrery::lab
