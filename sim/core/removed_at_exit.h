#pragma once

#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>

namespace orrery::sim {

/// The signals by which a program is asked to end, and which end it where nobody catches them: a closed
/// terminal or ssh session, Ctrl+C, Ctrl+\, a reader that is gone, an alarm, kill(1), and what batch systems
/// send before a job's time is up. All code that handles one of them handles all, through this list.
inline constexpr std::array ending_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                                           SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/// True for those that a person or a program sends again to insist. The others repeat by themselves: the
/// system sends SIGHUP once more when the shell of a session ends, and SIGXCPU every second.
constexpr bool insists(int signal) { return signal == SIGINT || signal == SIGQUIT || signal == SIGTERM; }

/// Ending signals and exit() remove the files of RemovedAtExit from now on. Called once, by main(): without
/// it only remove_files_in_the_making() does.
void remove_files_when_ended();

/// While it lives, ending signals and exit() remove the file `path` before the program ends. Signals that the
/// program handles itself or ignores are left alone: such a handler that ends the program calls
/// remove_files_in_the_making(). Of more than 64 files at a time the rest stay, as do paths too long for the
/// system.
class RemovedAtExit {
 public:
  explicit RemovedAtExit(const std::filesystem::path& path);
  RemovedAtExit(const RemovedAtExit&) = delete;
  RemovedAtExit& operator=(const RemovedAtExit&) = delete;
  ~RemovedAtExit();  ///< the file stays where it is

 private:
  std::size_t slot_;
};

/// Removes the files of all living RemovedAtExit. May be called from a signal handler.
void remove_files_in_the_making() noexcept;

}  // namespace orrery::sim
