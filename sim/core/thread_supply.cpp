#include "sim/core/thread_supply.h"

#include <fmt/format.h>

#include <atomic>
#include <latch>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

/// The number of requested threads that the system can run at the same time.
int threads_given(int wanted) {
  std::latch done(1);
  std::vector<std::jthread> threads;
  try {
    for (int k = 0; k < wanted; ++k) threads.emplace_back([&done] { done.wait(); });
  } catch (const std::system_error&) {
    // As many as there are so far.
  }
  done.count_down();
  return static_cast<int>(threads.size());
}

}  // namespace

void require_threads(int count) {
  static std::mutex mutex;
  static int granted = 1;
  const std::lock_guard lock(mutex);
  if (count <= granted) return;
  // The one that asks is a thread of the team.
  const int given = 1 + threads_given(count - 1);
  if (given < count)
    throw Error(fmt::format(
        "the system gives this program {} of {} threads: take fewer (--set threads=N, OMP_NUM_THREADS), "
        "or raise its limits (ulimit -v, ulimit -u)",
        given, count));
  granted = count;
}

}  // namespace orrery::sim
