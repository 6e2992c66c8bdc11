#pragma once

#include <atomic>

// A person's or a system's wish that long work ends: Ctrl+C, a closed terminal, SIGTERM (ending_signals.h).
namespace orrery::sim {

/// Catches signals: the first of these signals only sets the flag below, and is answered in time
/// (answer_in_time.h). A second SIGINT, SIGQUIT or SIGTERM ends the program at once, as the signal does by
/// itself, unless it comes within 0.2 s: `timeout` sends two for one wish. A signal that was ignored before
/// (nohup) stays ignored.
void catch_interrupts();

/// True once a person wants the work to end.
bool interrupted();
/// The flag that interrupted() reads, for engines and sums to poll. Lives as long as the program.
const std::atomic<bool>* interrupt_flag();
/// The signal that set the flag; 0: none.
int interrupt_signal();

/// Throws Cancelled if the flag is set.
void stop_if_interrupted();

}  // namespace orrery::sim
