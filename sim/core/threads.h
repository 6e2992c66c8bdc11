#pragma once

#include <chrono>
#include <future>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

// Threads, their priority, and limits of memory, address space or processes. Where the system gives none, the
// standard library says "Resource temporarily unavailable", and OpenMP ends the program.
namespace orrery::sim {

/// Makes the calling thread, and threads it starts later, give way to others (Linux nice value, 0 to 19).
/// Drawing stays smooth while all cores compute. Failure is harmless and ignored.
void lower_thread_priority(int nice);

/// Throws Error if the system does not give that many OpenMP threads at once. What was given before is not
/// tried again.
void require_threads(int count);

/// The remedy for too few threads, as the end of a message.
std::string thread_advice();

/// Throws Error with one line: `purpose` has no thread ("reading files"), why, and what to do.
[[noreturn]] void refuse_thread(std::string_view purpose);

/// Starts a thread. Throws Error that names `purpose` if the system gives none.
template <typename Thread = std::thread, typename Work>
Thread start_thread(std::string_view purpose, Work&& work) try {
  return Thread(std::forward<Work>(work));
} catch (const std::system_error&) {
  refuse_thread(purpose);
}

/// Starts work that may be left out on a thread of its own. The future is invalid if the system gives none.
template <typename Work>
auto try_async(Work&& work) {
  auto future = std::async(std::forward<Work>(work));  // deferred where there is no thread
  const bool runs = future.wait_for(std::chrono::seconds(0)) != std::future_status::deferred;
  return runs ? std::move(future) : decltype(future)();
}

}  // namespace orrery::sim
