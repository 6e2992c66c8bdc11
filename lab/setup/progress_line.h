#pragma once

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace orrery::lab {

/// One line on a terminal that says how far long work is and how long it will still take. It appears when the
/// work has taken a second, changes at most five times per second, and is gone when the object is. On a pipe
/// or a file, on a terminal without escape codes (TERM=dumb) and with NO_COLOR nothing is written. All calls
/// are cheap and may come from any thread.
class ProgressLine {
 public:
  /// `work` stands in front: "bench". `descriptor` is borrowed.
  explicit ProgressLine(std::string work, int descriptor = STDERR_FILENO);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// True where the line is written and has not been told anything for a while: work that makes thousands of
  /// steps per second asks before it puts words together. For one thread.
  bool due();
  /// Shows the present task ("simd, 3 of 9"), and which share of the whole work is done, 0 to 1.
  void show(std::string text, double share);
  /// Shows the present task with the time left in seconds, where that is known.
  void show_with_time(std::string text, double seconds_left);

  /// Erases the line; it stays away as long as the returned lock lives, for others to write to the terminal.
  [[nodiscard]] std::unique_lock<std::mutex> pause();

 private:
  using Clock = std::chrono::steady_clock;

  void run(const std::stop_token& stop);
  void draw();
  void erase();
  double seconds_left() const;

  std::string work_, text_;
  int descriptor_;
  double share_ = 0.0;
  double known_left_ = -1.0;  ///< seconds; negative: follows from the share
  Clock::time_point start_ = Clock::now(), told_ = start_;
  Clock::time_point asked_{};  ///< when `due` said so last
  std::string drawn_;          ///< text on the terminal; empty: none
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: it uses the rest; none where nothing is to be written
};

/// "7 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

/// The first characters of `text` that fit into `width` columns, the last of them "..." if some do not. Cuts
/// between characters of UTF-8.
std::string shortened(const std::string& text, std::size_t width);

/// Columns of the terminal behind `descriptor`, or `otherwise` where it is none.
std::size_t terminal_width(int descriptor, std::size_t otherwise);

}  // namespace orrery::lab
