#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/child_processes.h"

namespace orrery::app {

/// The exit status of a program.
struct ChildEnding {
  bool succeeded = false;
  std::string output;   ///< all that it wrote to standard output
  std::string problem;  ///< why it did not succeed: its last line of standard error, or the signal
};

/// A child process that reads what this program writes. The child has a process group of its own: Ctrl+C does
/// not reach it, so that it can finish what it has received.
class ChildProcess {
 public:
  /// Starts `command`, whose first word is looked for in PATH. Throws sim::Error.
  explicit ChildProcess(const std::vector<std::string>& command);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  ///< finish()

  /// Writes all bytes to the program's input. False: it reads no more, or hangs while this program is to end.
  /// The calling thread must block SIGPIPE.
  bool write(std::span<const std::byte> bytes);
  /// True once the program has ended by itself. Never waits.
  bool ended() const;
  /// Asks the program to end now.
  void interrupt() const;
  /// Closes the program's input and waits until it has ended, which is forced if it hangs (sim::HangWatch).
  /// Further calls return the same ending.
  const ChildEnding& finish();

 private:
  bool wait_for_reader();

  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;  ///< files in memory, so that it never waits for a reader
  int errors_ = -1;
  std::optional<sim::HangWatch> watch_;
  ChildEnding ending_;
};

/// True if a program of this name is in PATH.
bool is_program(const std::string& name);

/// SIGPIPE is blocked in this thread from now on: writing to a program that is gone fails instead.
void block_broken_pipes();

}  // namespace orrery::app
