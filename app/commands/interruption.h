#pragma once

#include <string>

// What Ctrl+C and SIGTERM do to commands that work long.
namespace orrery::app {

/// For a command that keeps what it has when it is interrupted: catches the signals (sim::catch_interrupts).
/// Where mpirun started several processes nothing changes: mpirun ends them all.
void end_early_on_signals();

/// 0 if nobody interrupted. Else says "interrupted at WHERE" on standard error, once, and returns the exit
/// status that the signal asks for: 130 for Ctrl+C, 143 for SIGTERM.
int interrupted_at(const std::string& where);

}  // namespace orrery::app
