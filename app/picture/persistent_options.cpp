#include "app/picture/persistent_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "sim/core/error.h"

namespace orrery::app {

namespace {

/// Values of one dataset's bodies.
constexpr std::string_view of_one_dataset = "color-range";

}  // namespace

bool is_persistent(const sim::Option& option) {
  return option.scope == sim::OptionScope::display && option.group != "run" && option.name != of_one_dataset;
}

sim::OptionValue kept_value(const sim::Option& option, const sim::OptionValue& value,
                            const sim::OptionValue& own) {
  if (option.kind != sim::OptionKind::form) return value;
  auto form = sim::form_value(std::get<std::string>(value));
  const auto* description = sim::form_of(option, form);
  if (description == nullptr) return value;
  const auto count = std::min(form.numbers.size(), description->numbers.size());
  for (std::size_t i = 0; i < count; ++i)
    if (description->numbers[i].of_dataset)
      form.numbers[i] =
          sim::number_named(option, sim::form_value(std::get<std::string>(own)), description->numbers[i].name)
              .value_or(description->numbers[i].default_value);
  return sim::form_text(form);
}

std::vector<std::string> apply_kept(const sim::OptionTable& table,
                                    const std::map<std::string, std::string>& values,
                                    sim::Configuration& configuration) {
  std::vector<std::string> problems;
  for (const auto& [name, value] : values) {
    try {
      const auto& option = table.at(name);
      if (is_persistent(option))
        configuration.set(option.name, kept_value(option, table.parse(option, value), option.default_value));
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
    if (is_persistent(option))
      configuration.set(option.name, kept_value(option, look.value(option.name), before.value(option.name)));
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
