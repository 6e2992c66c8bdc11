#include "app/commands/option_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/picture/display_options.h"

namespace orrery::app {

std::string allowed_values(const sim::Option& option) {
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return "on, off";
    case sim::OptionKind::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    default:
      return fmt::format("{:g} to {:g}{}{}", option.minimum, option.maximum, option.unit.empty() ? "" : " ",
                         option.unit);
  }
}

std::string options_help() {
  std::string text = "Options that --set NAME=VALUE takes (and the panel shows):\n";
  const auto table = all_options();
  for (const auto& option : table.options()) {
    text += fmt::format("\n  {} = {}\n      {}\n      values: {}\n", option.name,
                        sim::to_string(option.default_value), option.meaning, allowed_values(option));
    for (std::size_t i = 0; i < option.choice_meanings.size(); ++i) {
      text += fmt::format("        {:<18} {}\n", option.choices[i], option.choice_meanings[i]);
    }
  }
  return text;
}

}  // namespace orrery::app
