#include "app/commands/help_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <sstream>

#include "app/commands/settings.h"
#include "app/picture/display_options.h"
#include "sim/options/form.h"

namespace orrery::app {

namespace {

/// "on, off", "cpu, cuda" or "1 to 1024 ms".
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

/// "BODIES: 1 to 5000, at first 150"
std::string number_help(const sim::FormNumber& number) {
  auto text = fmt::format("{}: {:g} to {:g}{}{}", number.name, number.minimum, number.maximum,
                          number.unit.empty() ? "" : " ", number.unit);
  return number.required ? text : text + fmt::format(", usually {:g}", number.default_value);
}

/// The values that have a meaning of their own, with it: choices and forms.
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

std::string settings_help(const SettingKind& kind) {
  auto text = fmt::format("\n{}, not in the panel:\n", kind.title);
  for (const auto& setting : kind.settings)
    text += fmt::format("\n  {} = {}\n      {}\n", setting.name, setting.values, setting.meaning);
  return text;
}

/// Where the second and further lines of a long line begin: below its text, or below the second column of a
/// table.
std::size_t hanging_indent(const std::string& line) {
  const auto text = line.find_first_not_of(' ');
  const auto gap = line.find("  ", text);
  return gap == std::string::npos ? text : line.find_first_not_of(' ', gap);
}

/// The line broken at spaces, or after the bars of a list of names, so that no part is wider if that is
/// possible.
std::string wrapped_line(std::string line, std::size_t width) {
  const auto indent = hanging_indent(line);
  std::string text;
  while (line.size() > width) {
    auto end = line.rfind(' ', width);
    auto next = end + 1;
    if (end == std::string::npos || end <= indent) next = end = line.rfind('|', width - 1) + 1;
    if (end <= indent) break;
    text += line.substr(0, end) + '\n';
    line = std::string(indent, ' ') + line.substr(next);
  }
  return text + line;
}

std::string wrapped(const std::string& text, std::size_t width) {
  std::istringstream lines(text);
  std::string all;
  for (std::string line; std::getline(lines, line);)
    all += (all.empty() ? "" : "\n") + (line.size() > width ? wrapped_line(line, width) : line);
  return all;
}

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    constexpr std::size_t names = 26;
    column_width(names);
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), help_width - get_column_width());
  }
  /// With one empty line between two groups, where CLI11 writes two.
  std::string make_help(const CLI::App* command, std::string name, CLI::AppFormatMode mode) const override {
    auto help = CLI::Formatter::make_help(command, std::move(name), mode);
    for (std::size_t at = 0; (at = help.find("\n\n\n", at)) != std::string::npos;) help.erase(at, 1);
    return help;
  }
  std::string make_footer(const CLI::App* command) const override {
    const auto footer = command->get_footer();
    return footer.empty() ? footer : wrapped(footer, help_width) + "\n";
  }
};

}  // namespace

std::string options_help() {
  std::string text = "Options that --set NAME=VALUE takes (and the panel shows):\n";
  const auto table = all_options();
  for (const auto& option : table.options()) {
    text += fmt::format("\n  {} = {}\n      {}\n      values: {}\n", option.name,
                        sim::to_string(option.default_value), option.meaning, allowed_values(option));
    for (const auto& [value, meaning] : meanings_of_values(option))
      text += fmt::format("        {:<18} {}\n", value, meaning);
  }
  for (const auto& kind : described_settings()) text += settings_help(kind);
  return text;
}

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace orrery::app
