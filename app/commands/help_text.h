#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/options/option.h"

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace orrery::app {

/// "on, off", "cpu, cuda" or "1 to 1024 ms".
std::string allowed_values(const sim::Option& option);
/// The values that have a meaning of their own, with it: choices and forms.
std::vector<std::pair<std::string, std::string>> meanings_of_values(const sim::Option& option);

/// The table of options, as `--help-options` prints it.
std::string options_help();

/// The columns of a terminal that the help uses at most.
inline constexpr std::size_t help_width = 100;

/// Help of at most `help_width` columns.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace orrery::app
