#include "app/commands/help_format.h"

#include <CLI/CLI.hpp>
#include <sstream>
#include <string>
#include <utility>

namespace orrery::app {

namespace {

/// The line broken at spaces, so that none of its parts is wider; further lines begin like the first one.
std::string wrapped_line(const std::string& line, std::size_t width) {
  const auto indent = line.substr(0, line.find_first_not_of(' '));
  std::istringstream words(line);
  std::string text;
  std::string part;
  for (std::string word; words >> word;) {
    if (part.empty()) {
      part = indent + word;
    } else if (part.size() + 1 + word.size() <= width) {
      part += ' ' + word;
    } else {
      text += part + '\n';
      part = indent + word;
    }
  }
  return text + part;
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
