#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace orrery::lab {

/// How much of the time the threads of this process waited for a processor while they could have run: more
/// than a little means that the processors have other work too. Linux counts it for every thread.
class ProcessorWait {
 public:
  using Clock = std::chrono::steady_clock;

  /// `tasks`: the folder with a folder for each thread, which holds the file schedstat.
  explicit ProcessorWait(std::filesystem::path tasks = "/proc/self/task");

  /// Looks again when a second has passed since the last time.
  void update(Clock::time_point now);
  /// Of the last second: waiting over waiting and running, 0 to 1; no value where the system does not tell.
  std::optional<double> share() const { return share_; }

 private:
  struct Totals {
    double running = 0.0, waiting = 0.0;  ///< nanoseconds
  };
  std::optional<Totals> read() const;

  std::filesystem::path tasks_;
  std::optional<Totals> last_;
  std::optional<double> share_;
  Clock::time_point next_{};
};

}  // namespace orrery::lab
