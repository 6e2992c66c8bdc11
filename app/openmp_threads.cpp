// OpenMP's library ends the program with words of its own ("libgomp: Thread creation failed") where the
// system gives it no thread. It creates threads by pthread_create(), and so calls this one, which says what
// lacks and what to do. sim::require_threads() refuses numbers of threads before that, but a limit may be
// reached later, and each thread of the program that computes has an OpenMP team of its own.
#include <dlfcn.h>
#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <cstring>
#include <exception>

#include "sim/core/removed_at_exit.h"
#include "sim/core/threads.h"

namespace {

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

/// GCC's OpenMP is libgomp, clang's is libomp.
bool is_openmp(const void* code) {
  Dl_info library{};
  if (::dladdr(code, &library) == 0 || library.dli_fname == nullptr) return false;
  return std::strstr(library.dli_fname, "libgomp") != nullptr ||
         std::strstr(library.dli_fname, "libomp") != nullptr;
}

[[noreturn]] void end_without_thread() {
  orrery::sim::remove_files_in_the_making();
  try {
    const auto text = fmt::format(
        "orrery: no thread can be started for computing: the system gives this program no "
        "more; {}",
        orrery::sim::thread_advice());
    ::dprintf(STDERR_FILENO, "%s\n", text.c_str());
  } catch (const std::exception&) {
    ::dprintf(STDERR_FILENO, "orrery: not enough memory for threads; take fewer (--set threads=N)\n");
  }
  ::_exit(1);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                                     const pthread_attr_t* attributes,
                                                                     void* (*work)(void*), void* argument) {
  static const auto next = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  const int failure = next(thread, attributes, work, argument);
  if (failure != 0 && is_openmp(__builtin_return_address(0))) end_without_thread();
  return failure;
}
