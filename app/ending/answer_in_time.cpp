#include "app/ending/answer_in_time.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
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

}  // namespace

NothingToKeep::NothingToKeep() { ++without_results; }
NothingToKeep::~NothingToKeep() { --without_results; }

void start_answering() {
  static const bool started = start();
  static_cast<void>(started);
}

void ask_for_answer() noexcept { ::sem_post(&came); }
void note_answered() noexcept { answered = true; }

}  // namespace orrery::app
