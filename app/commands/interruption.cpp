#include "app/commands/interruption.h"

#include <fmt/format.h>

#include <cstdio>

#include "sim/core/answer_in_time.h"
#include "sim/core/interrupt.h"
#include "sim/ranks/launch.h"

namespace orrery::app {

void end_early_on_signals() {
  if (sim::launch().size == 1) sim::catch_interrupts();
}

int interrupted_at(const std::string& where) {
  constexpr int ended_by_signal = 128;  // of the shells
  if (!sim::interrupted()) return 0;
  fmt::print(stderr, "interrupted at {}\n", where);
  std::fflush(stdout);
  sim::note_answered();
  return ended_by_signal + sim::interrupt_signal();
}

}  // namespace orrery::app
