#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace CLI {
class FormatterBase;
}  // namespace CLI

namespace orrery::app {

/// The table of options, as `--help-options` prints it.
std::string options_help();

/// The columns of a terminal that the help uses at most.
inline constexpr std::size_t help_width = 100;

/// Help of at most `help_width` columns.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace orrery::app
