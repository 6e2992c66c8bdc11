#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// Accounts for the wall-clock time of the thread that makes it, by phase (TimedPhase), until it is
/// destroyed. Phases nest, and time counts for the innermost phase only: the entries add up to the lifetime
/// of the account. A thread has one account at a time.
class TimeAccount {
 public:
  struct Entry {
    std::string phase;
    double seconds = 0.0;
    /// CPU time that all threads of the process took meanwhile: over `seconds`, the cores in use.
    double processor_seconds = 0.0;
  };

  /// Begins the first phase.
  TimeAccount();
  TimeAccount(const TimeAccount&) = delete;
  TimeAccount& operator=(const TimeAccount&) = delete;
  ~TimeAccount();

  /// The entries so far, in the order in which the phases were first entered. The time outside of all phases
  /// comes last, as "other".
  std::vector<Entry> entries();

 private:
  friend class TimedPhase;
  std::size_t enter(std::string_view phase);
  void switch_to(std::size_t entry);

  std::vector<Entry> entries_;  ///< the first is the time outside of all phases
  std::size_t current_ = 0;
  double since_ = 0.0, processor_since_ = 0.0;
};

/// The time of its lifetime counts for a phase. Without an account of this thread it does nothing.
class TimedPhase {
 public:
  explicit TimedPhase(std::string_view phase);
  TimedPhase(const TimedPhase&) = delete;
  TimedPhase& operator=(const TimedPhase&) = delete;
  ~TimedPhase();

 private:
  TimeAccount* account_;
  std::size_t outer_ = 0;
};

/// A table of the entries for people: seconds, cores in use, and the phase; the sum in the last line.
std::string times_table(const std::vector<TimeAccount::Entry>& entries);

/// Milliseconds of the steady clock since that moment.
inline double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace orrery::sim
