#pragma once

// An interruption is answered within half a second, whatever the program is doing.
namespace orrery::app {

/// While one lives, no result would be lost if the program ended. Work that does not end by itself soon after
/// an interruption is ended with the program then: files in the making are removed, and the exit status is
/// that of the signal. Without one, a line says that the program is completing its results.
class NothingToKeep {
 public:
  NothingToKeep();
  NothingToKeep(const NothingToKeep&) = delete;
  NothingToKeep& operator=(const NothingToKeep&) = delete;
  ~NothingToKeep();
};

/// Catches signals: the first one sets the flag of sim::interrupted() and is answered. A second SIGINT,
/// SIGQUIT or SIGTERM ends the program at once, as the signal does by itself, unless it comes within 0.2 s:
/// `timeout` sends two for one wish. A signal that was ignored before (nohup) stays ignored.
void catch_interrupts();
/// The work has ended by itself, has said so, and all of its results are written: the program ends soon.
void note_answered() noexcept;

}  // namespace orrery::app
