#include "tests/app/mutated/child.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace orrery::test {

namespace {

class OutputFile {
 public:
  OutputFile() : descriptor_(::memfd_create("output", 0)) {
    if (descriptor_ < 0) throw std::runtime_error("no file can be made in memory");
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { ::close(descriptor_); }
  int descriptor() const { return descriptor_; }
  std::string text() const {
    std::string text(static_cast<std::size_t>(::lseek(descriptor_, 0, SEEK_END)), '\0');
    const auto size = ::pread(descriptor_, text.data(), text.size(), 0);
    text.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return text;
  }

 private:
  int descriptor_;
};

[[noreturn]] void be_child(const std::function<int()>& work, int output, unsigned cpu_seconds) {
  const rlimit processor{cpu_seconds, 5 * cpu_seconds};
  ::setrlimit(RLIMIT_CPU, &processor);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  const int status = work();
  std::fflush(nullptr);
  // Without what is done at the end of a program: that was done for the parent.
  ::_exit(status);
}

/// Waits for the child's end.
void wait_for(pid_t child, std::chrono::milliseconds patience, ChildResult& result) {
  using Clock = std::chrono::steady_clock;
  const auto asked_at = Clock::now() + patience;
  bool asked = patience.count() == 0;
  int status = 0;
  rusage used{};
  while (::wait4(child, &status, asked ? 0 : WNOHANG, &used) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (Clock::now() < asked_at) continue;
    ::kill(child, SIGTERM);
    asked = true;
  }
  if (WIFEXITED(status)) result.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.seconds = seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace

ChildResult in_child(const std::function<int()>& work, unsigned cpu_seconds,
                     std::chrono::milliseconds patience) {
  const OutputFile output;
  std::fflush(nullptr);
  const auto child = ::fork();
  if (child < 0) throw std::runtime_error("no process can be started");
  if (child == 0) be_child(work, output.descriptor(), cpu_seconds);
  ChildResult result;
  wait_for(child, patience, result);
  result.output = output.text();
  return result;
}

}  // namespace orrery::test
