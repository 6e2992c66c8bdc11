#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace orrery::test {

/// The outcome of a child process.
struct ChildResult {
  int status = -1;       ///< what the work returned; -1: it ended by a signal
  int signal = 0;        ///< by which the process ended; 0: by none
  double seconds = 0.0;  ///< of CPU time
  std::string output;    ///< of both streams
};

/// Does `work` in a child process, a copy of this one: a start takes milliseconds, also under sanitizers, and
/// nothing of one run is left in the next. After `cpu_seconds` of CPU time the child gets SIGXCPU, to
/// which the program answers by ending its work; five times as much ends it. With `patience` the child gets
/// SIGTERM after it: for what waits without computing. No other thread may run in this process.
ChildResult in_child(const std::function<int()>& work, unsigned cpu_seconds = 4,
                     std::chrono::milliseconds patience = {});

}  // namespace orrery::test
