#include "lab/bench/taken_options.h"

#include <algorithm>

#include "sim/options/engine_option.h"
#include "sim/simulation/approximate_kernels.h"

namespace orrery::lab {

namespace {

/// The key of the fact in which an engine reports the value it chose; empty for kernels of another engine.
std::string key_of(const sim::Configuration& configuration, const std::string& option) {
  if (option == "kernel" || option == "family")
    return option == sim::kernel_option(configuration) ? "kernel_taken" : "";
  auto key = option;
  std::ranges::replace(key, '-', '_');
  return key;
}

}  // namespace

std::string taken_choice(const sim::Configuration& configuration, const std::string& option,
                         const sim::EngineReport& report) {
  const auto* choice = std::get_if<std::string>(&configuration.value(option));
  return choice != nullptr && *choice == sim::automatic_kernel ? report.text(key_of(configuration, option))
                                                               : std::string();
}

std::vector<std::pair<std::string, std::string>> taken_choices(const sim::Configuration& configuration,
                                                               const sim::EngineReport& report) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [option, value] : configuration.values())
    if (auto taken = taken_choice(configuration, option, report); !taken.empty())
      all.emplace_back(option, std::move(taken));
  return all;
}

std::string with_taken(const std::string& choice, const std::string& taken) {
  return taken.empty() ? choice : choice + " (" + taken + ")";
}

std::string computing_text(const sim::Configuration& configuration, const sim::EngineReport& report) {
  return with_taken(sim::computing_name(configuration),
                    taken_choice(configuration, sim::kernel_option(configuration), report));
}

}  // namespace orrery::lab
