#include "app/commands/option_help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/picture/display_options.h"
#include "sim/options/form.h"

namespace orrery::app {

std::string allowed_values(const sim::Option& option) {
  switch (option.kind) {
    case sim::OptionKind::boolean:
      return "on, off";
    case sim::OptionKind::choice:
      return fmt::format("{}", fmt::join(option.choices, ", "));
    case sim::OptionKind::list:
      return fmt::format("all, {}, or some with commas between them: {}", option.no_choice,
                         fmt::join(option.choices, ", "));
    case sim::OptionKind::form:
      return sim::forms_text(option);
    default:
      return fmt::format("{:g} to {:g}{}{}", option.minimum, option.maximum, option.unit.empty() ? "" : " ",
                         option.unit);
  }
}

namespace {

/// "BODIES: 1 to 5000, at first 150"
std::string number_help(const sim::FormNumber& number) {
  auto text = fmt::format("{}: {:g} to {:g}{}{}", number.name, number.minimum, number.maximum,
                          number.unit.empty() ? "" : " ", number.unit);
  return number.required ? text : text + fmt::format(", usually {:g}", number.default_value);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> meanings_of_values(const sim::Option& option) {
  std::vector<std::pair<std::string, std::string>> meanings;
  for (std::size_t i = 0; i < option.choice_meanings.size(); ++i)
    meanings.emplace_back(option.choices[i], option.choice_meanings[i]);
  for (const auto& form : option.forms) {
    auto text = form.meaning;
    for (const auto& number : form.numbers) text += (text.empty() ? "" : "; ") + number_help(number);
    meanings.emplace_back(sim::form_pattern(form), text);
  }
  return meanings;
}

std::string options_help() {
  std::string text = "Options that --set NAME=VALUE takes (and the panel shows):\n";
  const auto table = all_options();
  for (const auto& option : table.options()) {
    text += fmt::format("\n  {} = {}\n      {}\n      values: {}\n", option.name,
                        sim::to_string(option.default_value), option.meaning, allowed_values(option));
    for (const auto& [value, meaning] : meanings_of_values(option))
      text += fmt::format("        {:<18} {}\n", value, meaning);
  }
  return text;
}

}  // namespace orrery::app
