#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
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

/// Time of the cores since the system started, in seconds of one core.
struct ProcessorTimes {
  double busy = 0.0;  ///< used by all programs
  double idle = 0.0;
  double own = 0.0;  ///< used by this program
};

/// The use of the cores by other programs, over some time.
struct LoadOfOthers {
  double processors = 0.0;  ///< cores that other programs used
  double idle = 0.0;        ///< cores that had nothing to do
  /// True if this program had to share: others computed and hardly a core was free.
  bool busy() const;
};

/// Watches whether other programs use the cores. Without Linux's /proc/stat it knows nothing, and says
/// so.
class LoadWatch {
 public:
  using Clock = std::chrono::steady_clock;
  /// The system counts in hundredths of a second: shorter times say nothing.
  static constexpr std::chrono::milliseconds shortest{200};

  /// Begins to watch. `read`: empty: asks the system.
  explicit LoadWatch(std::function<std::optional<ProcessorTimes>()> read = {});

  /// Looks again if that was long enough ago.
  void update(Clock::time_point now);
  /// The time between the last two looks; no value: not known.
  const std::optional<LoadOfOthers>& load() const { return load_; }
  bool busy() const { return load_ && load_->busy(); }

 private:
  std::function<std::optional<ProcessorTimes>()> read_;
  std::optional<ProcessorTimes> last_;
  Clock::time_point at_{};
  std::optional<LoadOfOthers> load_;
};

/// The first line of a file like /proc/stat, and the time of this process; no value where there is none.
std::optional<ProcessorTimes> read_processor_times(const std::filesystem::path& file = "/proc/stat");

}  // namespace orrery::lab
