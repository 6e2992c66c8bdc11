#pragma once

#include <functional>
#include <string>

#include "app/commands/arguments.h"

// A program without subcommands, as the benchmarks are.
namespace orrery::app {

/// A program's name, the text of its help, its arguments, and the function that runs after they were read.
struct SmallProgram {
  std::string name;
  std::string meaning;
  std::function<void(Arguments&)> declare;
  std::function<void()> work;
};

/// Parses, then works. Returns the exit status: 0, also for --help; 2 for a mistake in the command line
/// (sim::UsageError too), 1 for another failure, with one line on standard error.
int run(const SmallProgram& program, int count, char** words);

}  // namespace orrery::app
