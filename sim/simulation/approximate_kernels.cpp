#include "sim/simulation/approximate_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/cpu/cpu_options.h"
#include "sim/cpu/kernel.h"
#include "sim/cuda/families/family.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"

namespace orrery::sim {

namespace {

constexpr double largest_theta = 0.7;
/// The angle with the same typical error as these settings.
double equivalent_theta(const TreeSettings& settings) {
  const double theta = std::pow(median_error(settings) / geometric_law.at_one, 1.0 / geometric_law.power);
  // Not more digits than a person would type.
  return std::min(largest_theta, std::floor(100.0 * theta) / 100.0);
}

Configuration with_quadrupoles(const Configuration& configuration, const std::string& opening) {
  auto safer = configuration;
  safer.set("accuracy", 0.0);
  safer.set("opening", opening);
  safer.set("order", std::string("quadrupole"));
  return safer;
}

/// An eighth of alpha has a third of the error.
constexpr double finer_alpha = 0.125;

std::vector<Configuration> finer_trees(const Configuration& configuration) {
  // Below that a tree sums nearly every pair.
  constexpr double least_theta = 0.05;
  const auto settings = tree_settings(configuration);
  const double theta = equivalent_theta(settings);
  std::vector<Configuration> finer;
  const auto add_relative = [&](double alpha) {
    if (settings.relative) finer.push_back(with_quadrupoles(configuration, relative_opening(alpha)));
  };
  const auto add_geometric = [&](double angle) {
    if (angle >= least_theta) finer.push_back(with_quadrupoles(configuration, geometric_opening(angle)));
  };
  const bool others = settings.order != CellOrder::quadrupole;
  if (others) add_relative(settings.alpha);
  add_relative(finer_alpha * settings.alpha);
  if (others || settings.relative) add_geometric(theta);
  add_geometric(0.7 * theta);
  add_relative(finer_alpha * finer_alpha * settings.alpha);
  add_geometric(0.5 * theta);
  return finer;
}

Configuration every_pair(const OptionTable& table, const Configuration& configuration) {
  auto direct = configuration;
  const auto option = kernel_option(configuration);
  direct.set(option, table.at(option).default_value);
  direct.set("accuracy", 0.0);
  return direct;
}

}  // namespace

double times_the_sums(const Bodies& bodies, double tree_sums) {
  return tree_sums > 0.0 ? interactions_per_evaluation(bodies.galaxies()) / tree_sums : 1.0;
}

std::vector<Configuration> safer_configurations(const OptionTable& table, const Configuration& configuration,
                                                double times) {
  auto safer = finer_trees(configuration);
  if (times < most_times_the_sums) safer.push_back(every_pair(table, configuration));
  return safer;
}

std::optional<Configuration> take_first(std::vector<Configuration>& safer) {
  if (safer.empty()) return std::nullopt;
  auto first = std::move(safer.front());
  safer.erase(safer.begin());
  return first;
}

std::string every_pair_advice(const OptionTable& table, const Configuration& configuration, double times) {
  if (times < most_times_the_sums) return {};
  const auto option = kernel_option(configuration);
  return fmt::format("; {}={} sums every pair, with {:.0f} times the interactions", option,
                     to_string(table.at(option).default_value), times);
}

std::string differences(const OptionTable& table, const Configuration& configuration,
                        const Configuration& changed) {
  std::vector<std::string> texts;
  for (const auto& option : table.options()) {
    if (configuration.value(option.name) == changed.value(option.name) || !applies(option, changed)) continue;
    texts.push_back(fmt::format("{}={}", option.name, to_string(changed.value(option.name))));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::vector<std::string> own_choices(const Option& option) {
  auto choices = option.choices;
  if (option.name == "kernel" || option.name == "family") std::erase(choices, automatic_kernel);
  return choices;
}

bool is_approximate(std::string_view option, std::string_view choice) {
  if (option == "kernel") {
    const auto* kernel = find_cpu_kernel(choice);
    return kernel != nullptr && kernel->approximate;
  }
  return option == "family" && std::ranges::any_of(cuda::families(), [&](const cuda::Family* family) {
           return family->name == choice && family->approximate;
         });
}

bool uses_tree(const Configuration& configuration) {
  if (is_on_gpu(configuration)) return cuda::family_of(configuration).approximate;
  return is_approximate("kernel", cpu_options(configuration).kernel);
}

bool opens_by_geometry(const Configuration& configuration) { return !tree_settings(configuration).relative; }

StatedError stated_error(const Configuration& configuration) {
  if (!uses_tree(configuration)) return {};
  return stated_error(tree_settings(configuration));
}

}  // namespace orrery::sim
