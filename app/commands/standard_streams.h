#pragma once

#include <string_view>

// Standard input, output and error, which its parent process may have closed or let fill up.
namespace orrery::app {

/// Call first. Gives closed descriptors a place, so that no file that is opened later gets their number: what
/// is written to a closed standard output fails, as on a full disk. From then on messages that standard error
/// does not take are lost, and nothing fails for it.
void secure_standard_streams();

/// Writes to standard output at once, for results that come one by one. Throws sim::Error if that fails.
void print_now(std::string_view text);
/// Throws sim::Error if something that was printed did not get out, unless a person interrupted.
void check_standard_output();

}  // namespace orrery::app
