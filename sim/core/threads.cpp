#include "sim/core/threads.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cctype>
#include <cstdlib>
#include <latch>
#include <mutex>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

void lower_thread_priority(int nice) {
  // On Linux a "process" of setpriority is a thread; 0 is the calling one.
  setpriority(PRIO_PROCESS, 0, nice);
}

namespace {

/// The setting of a thread's stack in the environment, as OpenMP reads it; empty: the usual stack.
std::string stack_setting() {
  for (const char* name : {"OMP_STACKSIZE", "GOMP_STACKSIZE"})
    if (const char* value = std::getenv(name); value != nullptr) return value;
  return {};
}

/// Bytes of "512", "64M" or "1G"; without a letter kibibytes. 0: no such text.
std::size_t stack_bytes(const std::string& text) {
  char* end = nullptr;
  const auto number = std::strtoull(text.c_str(), &end, 10);
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
  switch (std::toupper(static_cast<unsigned char>(*end))) {
    case 'B':
      return number;
    case 'M':
      return number << 20U;
    case 'G':
      return number << 30U;
    default:
      return number << 10U;
  }
}

void* wait_for_all(void* done) {
  static_cast<std::latch*>(done)->wait();
  return nullptr;
}

/// The number of requested threads, with the stacks of OpenMP's, that the system can run at the same time.
int threads_given(int wanted) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (const auto bytes = stack_bytes(stack_setting()); bytes > 0)
    pthread_attr_setstacksize(&attributes, bytes);
  std::latch done(1);
  std::vector<pthread_t> threads;
  for (pthread_t thread{}; static_cast<int>(threads.size()) < wanted; threads.push_back(thread))
    if (::pthread_create(&thread, &attributes, wait_for_all, &done) != 0) break;
  done.count_down();
  for (const auto thread : threads) ::pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return static_cast<int>(threads.size());
}

}  // namespace

std::string thread_advice() {
  const auto stack = stack_setting();
  return fmt::format(
      "take fewer (--set threads=N, OMP_NUM_THREADS), or raise the limits of this program (ulimit -u, "
      "ulimit -v, those of its batch job or container){}",
      stack.empty() ? "" : fmt::format("; OMP_STACKSIZE asks for {} for each", printable(stack)));
}

void refuse_thread(std::string_view purpose) {
  throw Error(fmt::format("no thread can be started for {}: the system gives this program no more; {}",
                          purpose, thread_advice()));
}

void require_threads(int count) {
  static std::mutex mutex;
  static int granted = 1;
  const std::lock_guard lock(mutex);
  if (count <= granted) return;
  // The one that asks is a thread of the team.
  const int given = 1 + threads_given(count - 1);
  if (given < count)
    throw Error(
        fmt::format("the system gives this program {} of {} threads: {}", given, count, thread_advice()));
  granted = count;
}

}  // namespace orrery::sim
