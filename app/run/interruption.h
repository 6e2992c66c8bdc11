#pragma once

#include <string>

// What Ctrl+C, SIGTERM, a closed terminal and other ending signals do to commands that work long.
namespace orrery::app {

/// Catches the signals (catch_interrupts) for a command that keeps its results when it is interrupted.
/// Under mpirun with several processes nothing changes: mpirun ends them all.
void end_early_on_signals();

/// 0 if nobody interrupted. Else says "interrupted at WHERE" on standard error, once, and returns the exit
/// status that the signal asks for: 130 for Ctrl+C, 143 for SIGTERM. Call it when all results are written.
int interrupted_at(const std::string& where);
/// As interrupted_at, but says "interrupted WHEN".
int interrupted_when(const std::string& when);

}  // namespace orrery::app
