#pragma once

namespace orrery::app {

/// Runs the program. Returns the exit status: 0, 1 for a failure, 2 for a usage error; messages go to stderr.
int run_command_line(int argc, char** argv);

/// As run_command_line, but throws a failure instead of reporting it, for tests that look at it before
/// report_failure (process_group.h) does.
int run_or_throw(int argc, char** argv);

}  // namespace orrery::app
