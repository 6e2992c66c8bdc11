#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

// Child processes that do not start, or do not end by themselves: stopped ones (SIGSTOP), and those that wait
// for something that never comes.
namespace orrery::sim {

/// The settings of a new process: it has a process group of its own, as the terminal's signals are for this
/// program, and blocks and ignores no signal.
class SpawnSettings {
 public:
  SpawnSettings();
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings();

  /// A descriptor stays open, as that number. Of several settings the first ones are done first.
  void pass(int descriptor, int number);
  void open(int number, const char* file, int flags);
  /// Starts a program, whose name is looked for in PATH. 0, or why not (errno).
  int start(const std::vector<std::string>& command, pid_t& process) const;

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

/// Why a program was not started, for a message.
std::string why_not_started(const std::string& program, int error_number);

/// Waits until the child has ended, at most `patience`. True if it has; waitpid() still gives its status.
bool child_ends_within(pid_t child, std::chrono::milliseconds patience);

/// Asks the child to end (SIGTERM), kills it if it has not ended two seconds later, and returns its wait
/// status.
int end_child(pid_t child);

/// Notices that a process group hangs, and ends it: call look() again and again while waiting for it. A group
/// hangs if it uses no CPU time for a while. It is continued first (SIGCONT), in case that it was
/// stopped, then asked to end, then killed.
class HangWatch {
 public:
  explicit HangWatch(pid_t group) : group_(group) {}
  /// `hurry`: this program is to end. The group gets a few seconds then, and a minute otherwise.
  void look(bool hurry);
  /// True if the group was asked to end.
  bool gave_up() const { return step_ > 1; }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds patience(bool hurry) const;

  pid_t group_;
  int step_ = 0;    ///< what was done last: 0 nothing, 1 continued, 2 asked to end, 3 killed
  long used_ = -1;  ///< CPU time at the last look, in clock ticks
  Clock::time_point since_ = Clock::now();  ///< the last activity or step
  Clock::time_point looked_{};
};

}  // namespace orrery::sim
