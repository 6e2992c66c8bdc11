#pragma once

#include <string_view>

#include "sim/core/error.h"

// Standard input, output and error, which its parent process may have closed or let fill up.
namespace orrery::app {

/// Call first. Gives closed descriptors a place, so that no file that is opened later gets their number: what
/// is written to a closed standard output fails, as on a full disk. From then on messages that standard error
/// does not take are lost, and nothing fails for it.
void secure_standard_streams();

/// The reader of standard output has ended, as `head` does: no failure, and nothing to say.
class ClosedPipe : public sim::Error {
 public:
  ClosedPipe() : Error("standard output is a pipe that nobody reads any more") {}
  /// The exit status of a program that SIGPIPE ended.
  static int status();
};

/// Writes to standard output at once, for results that come one by one. Throws as check_standard_output().
void print_now(std::string_view text);
/// Throws ClosedPipe or sim::Error if something that was printed did not get out, unless the program was
/// interrupted, as also by SIGPIPE: it then ends by itself, with the results that go to files.
void check_standard_output();
/// Throws as check_standard_output(); `reason` is an errno value, 0 where it is not known.
[[noreturn]] void refuse_output(int reason);

}  // namespace orrery::app
