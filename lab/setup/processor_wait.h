#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace orrery::lab {

/// Measures the share of time in which the threads of this process were ready to run but waited for a core.
/// More than a little means that other programs use the cores too. Linux counts it for every thread.
class ProcessorWait {
 public:
  using Clock = std::chrono::steady_clock;

  /// `tasks`: the folder with a folder for each thread, which holds the file schedstat.
  explicit ProcessorWait(std::filesystem::path tasks = "/proc/self/task");

  /// Looks again when a second has passed since the last time.
  void update(Clock::time_point now);
  /// The share of the last second: waiting over waiting plus running, 0 to 1; no value if the system does not
  /// report it.
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
