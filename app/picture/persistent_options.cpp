#include "app/picture/persistent_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// These name a body or a galaxy, or values of one dataset's bodies.
constexpr std::array<std::string_view, 5> of_one_dataset{"highlight-galaxy", "color-min", "color-max",
                                                         "trail-first", "trail-frame-body"};

}  // namespace

bool is_persistent(const sim::Option& option) {
  return option.scope == sim::OptionScope::display && option.group != "run" &&
         std::ranges::find(of_one_dataset, option.name) == of_one_dataset.end();
}

std::vector<std::string> apply_kept(const sim::OptionTable& table,
                                    const std::map<std::string, std::string>& values,
                                    sim::Configuration& configuration) {
  std::vector<std::string> problems;
  for (const auto& [name, value] : values) {
    try {
      if (is_persistent(table.at(name))) table.assign(configuration, fmt::format("{}={}", name, value));
    } catch (const sim::UsageError& error) {
      problems.push_back(fmt::format("left out of the settings: {}", error.what()));
    }
  }
  return problems;
}

void take_look(const sim::OptionTable& table, const sim::Configuration& look,
               const sim::OptionContext& context, sim::Configuration& configuration) {
  const auto before = configuration;
  for (const auto& option : table.options())
    if (is_persistent(option)) configuration.set(option.name, look.value(option.name));
  // What is put back can make another one impossible.
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& option : table.options()) {
      const auto &value = configuration.value(option.name), &old = before.value(option.name);
      if (value == old || table.refusal(option, value, configuration, context).empty()) continue;
      configuration.set(option.name, old);
      changed = true;
    }
  }
}

}  // namespace orrery::app
