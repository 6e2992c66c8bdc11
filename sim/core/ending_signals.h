#pragma once

#include <array>
#include <csignal>

namespace orrery::sim {

/// The signals by which a program is asked to end, and which end it where nobody catches them: a closed
/// terminal or ssh session, Ctrl+C, Ctrl+\, a reader that is gone, an alarm, kill(1), and what batch systems
/// send before a job's time is up. All code that handles one of them handles all, through this list.
inline constexpr std::array ending_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                                           SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

/// True for those that a person or a program sends again to insist. The others repeat by themselves: the
/// system sends SIGHUP once more when the shell of a session ends, and SIGXCPU every second.
constexpr bool insists(int signal) { return signal == SIGINT || signal == SIGQUIT || signal == SIGTERM; }

}  // namespace orrery::sim
