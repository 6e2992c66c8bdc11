#include "sim/core/interrupt.h"

#include <csignal>
#include <cstdint>
#include <ctime>

#include "sim/core/answer_in_time.h"
#include "sim/core/ending_signals.h"
#include "sim/core/error.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::sim {

namespace {

std::atomic<bool> wanted{false};
std::atomic<int> received{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler may set them");

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
    received = signal;
    std::signal(SIGPIPE, SIG_IGN);
    wanted = true;
    ask_for_answer(signal);
  } else if (insists(signal) && now - first > one_wish_ns) {
    std::signal(signal, SIG_DFL);
    remove_files_in_the_making();
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
  for (const int signal : ending_signals) catch_signal(signal);
}

bool interrupted() { return wanted.load(std::memory_order_relaxed); }
const std::atomic<bool>* interrupt_flag() { return &wanted; }
int interrupt_signal() { return received.load(); }

void stop_if_interrupted() {
  if (interrupted()) throw Cancelled();
}

}  // namespace orrery::sim
