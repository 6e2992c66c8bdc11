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

/// Starts the thread that answers. Later calls do nothing.
void start_answering();
/// The interruption has come (sim::interrupt). May be called from a signal handler.
void ask_for_answer() noexcept;
/// The work has ended by itself, has said so, and all of its results are written: the program ends soon.
void note_answered() noexcept;

}  // namespace orrery::app
