#include "app/commands/help_format.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace orrery::app {

namespace {

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

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace orrery::app
