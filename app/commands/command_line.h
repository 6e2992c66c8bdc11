#pragma once

namespace orrery::app {

/// Runs the program. Returns the exit status: 0, 1 for a failure, 2 for a usage error; messages go to stderr.
int run_command_line(int argc, char** argv);

}  // namespace orrery::app
