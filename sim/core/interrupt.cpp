#include "sim/core/interrupt.h"

#include <array>
#include <csignal>

#include "sim/core/error.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::sim {

namespace {

constexpr std::array<int, 2> caught_signals{SIGINT, SIGTERM};

std::atomic<bool> wanted{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may set them");

/// Ctrl+C also ends the program that reads our output; what is still to be written to files must not be lost
/// with it.
void take(int signal) {
  if (wanted.exchange(true)) {
    std::signal(signal, SIG_DFL);
    remove_files_in_the_making();
    std::raise(signal);
    return;
  }
  received = signal;
  std::signal(SIGPIPE, SIG_IGN);
}

void catch_signal(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = take;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : caught_signals) catch_signal(signal);
}

bool interrupted() { return wanted.load(std::memory_order_relaxed); }
const std::atomic<bool>* interrupt_flag() { return &wanted; }
int interrupt_signal() { return received.load(); }

void stop_if_interrupted() {
  if (interrupted()) throw Cancelled();
}

}  // namespace orrery::sim
