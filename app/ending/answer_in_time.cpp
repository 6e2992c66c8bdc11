#include "app/ending/answer_in_time.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <system_error>
#include <thread>

#include "sim/core/interrupt.h"
#include "sim/core/removed_at_exit.h"

namespace orrery::app {

namespace {

/// Most work ends by itself sooner. With the time that ending takes it stays below half a second.
constexpr std::chrono::milliseconds patience{300};
constexpr std::chrono::milliseconds between_looks{10};
constexpr std::chrono::milliseconds for_clearing{150};

std::atomic<int> without_results{0};
std::atomic<bool> answered{false};
/// A semaphore may be raised in a signal handler; the standard library's need not be.
sem_t came;

/// A line on the terminal says how far the work is: the message takes its position.
void say(const char* text) {
  fmt::print(stderr, "{}{}\n", ::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "", text);
}

void end_now() {
  constexpr int ended_by_signal = 128;  // as shells count
  sim::remove_files_in_the_making();
  if (!answered) say("interrupted before anything was written");
  ::_exit(ended_by_signal + sim::interrupt_signal());
}

void wait_for_interruption() {
  while (::sem_wait(&came) != 0 && errno == EINTR) {
  }
}

/// Work with results to keep may go on to work without any. After the answer only memory is given back.
void answer() {
  wait_for_interruption();
  std::this_thread::sleep_for(patience);
  if (!answered && without_results == 0)
    say("ending: results are being completed; Ctrl+C or SIGTERM again ends at once");
  while (!answered && without_results == 0) std::this_thread::sleep_for(between_looks);
  if (answered) std::this_thread::sleep_for(for_clearing);
  end_now();
}

/// Without a thread, work is ended by those who look at the flag only.
bool start() try {
  ::sem_init(&came, 0, 0);
  std::thread(answer).detach();
  return true;
} catch (const std::system_error&) {
  return false;
}

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
    ::sem_post(&came);
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

NothingToKeep::NothingToKeep() { ++without_results; }
NothingToKeep::~NothingToKeep() { --without_results; }

void catch_interrupts() {
  static const bool started = start();
  static_cast<void>(started);
  for (const int signal : sim::ending_signals) catch_signal(signal);
}

void note_answered() noexcept { answered = true; }

}  // namespace orrery::app
