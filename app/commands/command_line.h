#pragma once

namespace orrery::app {

/// Runs the program. Returns the exit status: 0, 1 for a failure, 2 for a usage error; messages go to stderr.
int run_command_line(int argc, char** argv);

/// The same, but what fails is thrown: for tests that look at it before report_failure (process_group.h) says
/// it.
int run_or_throw(int argc, char** argv);

}  // namespace orrery::app
