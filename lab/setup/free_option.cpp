#include "lab/setup/free_option.h"

#include <fmt/format.h>

#include <algorithm>

#include "lab/setup/starting_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/galaxies/model.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/options/tree_options.h"
#include "sim/physics/sources.h"
#include "sim/simulation/alpha_steps.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

/// The first kernel (or family) that need not sum every pair.
std::string first_tree(const sim::OptionTable& table, const std::string& option) {
  const auto& choices = table.at(option).choices;
  return *std::ranges::find_if(choices, [&](const auto& each) { return sim::is_approximate(option, each); });
}

/// The mean number of bodies that pull on a body: all of its galaxy but tracers.
double mean_sources(const sim::Scene& scene, const sim::ForceLaw& law) {
  const auto& bodies = scene.bodies;
  if (bodies.empty()) return 0.0;
  const auto galaxies = bodies.galaxies();
  const auto sources =
      sim::sources_of(galaxies, {bodies.position, bodies.velocity, bodies.mass, bodies.charge}, law);
  return sim::interactions_of(galaxies, sources) / static_cast<double>(bodies.size());
}

/// The alpha with the typical error of the configuration's tree, however its cells are opened.
double equivalent_alpha(const sim::Configuration& configuration) {
  return sim::alpha_for(sim::median_error(sim::tree_settings(configuration)));
}

/// True if the engine has a tree that sums the pulls of that many sources on a body faster than direct sums
/// do.
bool tree_pays(const sim::Configuration& configuration, double sources) {
  const double fewest = sim::fewest_for_tree(equivalent_alpha(configuration), sim::is_on_gpu(configuration));
  return sim::physics_of(configuration).law->acceleration_single == nullptr && sources > fewest;
}

std::array<sim::OptionValue, precision_options.size()> wanted_values() {
  return {std::string("simd-double"), std::string("double"), std::string("compensated"), std::int64_t{1}};
}

}  // namespace

bool tree_is_faster(const sim::Configuration& configuration, const sim::Scene& scene) {
  return tree_pays(configuration, mean_sources(scene, *sim::physics_of(configuration).law));
}

std::string choose_kernel_for_many(const sim::OptionTable& table, sim::Configuration& configuration,
                                   const sim::Scene& scene, const std::vector<std::string>& assignments) {
  const auto kernel = sim::kernel_option(configuration);
  if (!is_free(table, configuration, kernel, assignments)) return {};
  const auto usual = configuration.choice(kernel);
  if (sim::tree_options(configuration).accuracy > 0.0 && chooses(assignments, "accuracy")) {
    if (!take(table, configuration, option_context(scene), {kernel, std::string(sim::automatic_kernel)}))
      return {};
    return fmt::format("accuracy={:g}: {}=auto takes a tree or {}, whichever is faster",
                       sim::tree_options(configuration).accuracy, kernel, usual);
  }
  if (!tree_is_faster(configuration, scene) ||
      !take(table, configuration, option_context(scene), {kernel, first_tree(table, kernel)}))
    return {};
  return fmt::format(
      "{} bodies: {}={} takes far ones together, with force errors stated as {}; --set {}={} sums every pair",
      scene.bodies.size(), kernel, first_tree(table, kernel), sim::text_of(sim::stated_error(configuration)),
      kernel, usual);
}

sim::Configuration probable_configuration(const sim::OptionTable& table, const DatasetRequest& request,
                                          const std::vector<std::string>& assignments) {
  auto configuration = table.defaults();
  assign_all(table, configuration, assignments);
  const auto kernel = sim::kernel_option(configuration);
  const auto* model = built_in_model(request);
  if (model == nullptr || !is_free(table, configuration, kernel, assignments)) return configuration;
  if (tree_pays(configuration, static_cast<double>(request.bodies.value_or(model->default_bodies))))
    configuration.set(kernel, first_tree(table, kernel));
  return configuration;
}

std::string choose_double_precision(const sim::OptionTable& table, sim::Configuration& configuration,
                                    const sim::Scene& scene, const std::vector<std::string>& assignments) {
  if (!scene.wants_double) return {};
  const auto values = wanted_values();
  std::string chosen;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::string option = precision_options[k];
    if (!is_free(table, configuration, option, assignments)) continue;
    if (!take(table, configuration, option_context(scene), {option, values[k]})) continue;
    if (sim::why_inactive(table.at(option), configuration).empty())
      chosen += fmt::format("{}{}={}", chosen.empty() ? "" : " ", option, sim::to_string(values[k]));
  }
  if (chosen.empty()) return {};
  return fmt::format("{} bodies, so double precision costs nothing: {}", scene.bodies.size(), chosen);
}

bool is_free(const sim::OptionTable& table, const sim::Configuration& configuration,
             const std::string& option, const std::vector<std::string>& assignments) {
  return configuration.value(option) == table.defaults().value(option) && !chooses(assignments, option);
}

bool take(const sim::OptionTable& table, sim::Configuration& configuration, const sim::OptionContext& context,
          const ChosenValue& chosen) {
  const auto& [option, value] = chosen;
  auto changed = configuration;
  changed.set(option, value);
  if (!sim::refusal_of(table, changed, context).empty() &&
      sim::refusal_of(table, configuration, context).empty())
    return false;
  if (!table.refusal(table.at(option), value, configuration, context).empty()) return false;
  configuration = std::move(changed);
  return true;
}

}  // namespace orrery::lab
