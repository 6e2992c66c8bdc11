#include "app/ending/catch_interrupts.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "app/ending/answer_in_time.h"
#include "sim/core/interrupt.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::app {

namespace {

/// When the first one came; 0: none yet.
std::atomic<std::int64_t> first_ns{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
/// `timeout`, say, sends a signal to a program and to its group: those are one wish. No person is so quick.
constexpr std::int64_t one_wish_ns = 200'000'000;

std::int64_t nanoseconds_now() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// Ctrl+C also ends the program that reads our output; what is still to be written to files must not be lost
/// with it.
void take(int signal) {
  const auto now = nanoseconds_now();
  std::int64_t first = 0;
  if (first_ns.compare_exchange_strong(first, now)) {
    std::signal(SIGPIPE, SIG_IGN);
    sim::interrupt(signal);
    ask_for_answer();
  } else if (sim::insists(signal) && now - first > one_wish_ns) {
    std::signal(signal, SIG_DFL);
    sim::remove_files_in_the_making();
    std::raise(signal);
  }
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
  start_answering();
  for (const int signal : sim::ending_signals) catch_signal(signal);
}

}  // namespace orrery::app
