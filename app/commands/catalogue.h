#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "app/commands/arguments.h"

namespace orrery::app {

/// The action of a subcommand with its arguments. Returns the exit status; throws sim::Error,
/// sim::UsageError or render::Error.
using Action = std::function<int()>;

/// A subcommand. Each lives in its own file; adding one takes that file and one line in CMakeLists.txt.
struct Command {
  std::string_view name;
  std::string_view meaning;  ///< a line of `orrery --help`
  /// Declares what it takes. The action is called after parsing, if the command was chosen.
  Action (*declare)(Arguments& arguments);
  bool shares_work = false;  ///< among the processes that mpirun started; others refuse several
};

/// All commands in the order of the help.
std::span<const Command* const> commands();

/// Null if there is none of that name.
const Command* find_command(std::string_view name);

}  // namespace orrery::app
