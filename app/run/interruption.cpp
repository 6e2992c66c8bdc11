#include "app/run/interruption.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "app/ending/answer_in_time.h"
#include "sim/core/interrupt.h"
#include "sim/ranks/launch.h"

namespace orrery::app {

void end_early_on_signals() {
  if (sim::launch().size == 1) catch_interrupts();
}

int interrupted_at(const std::string& where) { return interrupted_when("at " + where); }

int interrupted_when(const std::string& when) {
  constexpr int ended_by_signal = 128;  // of the shells
  if (!sim::interrupted()) return 0;
  // `orrery bench | head -1` has what it wanted.
  const bool unread = sim::interrupt_signal() == SIGPIPE && std::ferror(stdout) != 0;
  if (!unread) fmt::print(stderr, "interrupted {}\n", when);
  std::fflush(stdout);
  note_answered();
  return ended_by_signal + sim::interrupt_signal();
}

}  // namespace orrery::app
