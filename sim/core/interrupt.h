#pragma once

#include <atomic>

// A person's or a system's wish that long work ends: Ctrl+C, a closed terminal, SIGTERM (removed_at_exit.h).
namespace orrery::sim {

/// Sets the flag below. A signal handler of the program calls it: nothing in sim catches signals by itself.
void interrupt(int signal) noexcept;

/// True once a person wants the work to end.
bool interrupted();
/// The flag that interrupted() reads, for engines and sums to poll. Lives as long as the program.
const std::atomic<bool>* interrupt_flag();
/// The signal that set the flag; 0: none.
int interrupt_signal();

/// Throws Cancelled if the flag is set.
void stop_if_interrupted();

}  // namespace orrery::sim
