#include "app/film/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "sim/core/error.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

constexpr std::chrono::milliseconds between_looks{100};

std::string text_of(int descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  ::lseek(descriptor, 0, SEEK_SET);
  for (ssize_t got = 0; (got = ::read(descriptor, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  return text;
}

std::string last_line(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string last;
  while (std::getline(lines, line))
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  return last;
}

std::string problem_of(int status, const std::string& errors) {
  if (WIFSIGNALED(status))
    return fmt::format("it was ended by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  const auto line = last_line(errors);
  return line.empty() ? fmt::format("it ended with status {}", WEXITSTATUS(status)) : line;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
  std::array<int, 2> pipe{-1, -1};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw sim::Error(sim::why_not_started(command.front(), errno));
  output_ = ::memfd_create("output", MFD_CLOEXEC);
  errors_ = ::memfd_create("errors", MFD_CLOEXEC);
  sim::SpawnSettings settings;
  settings.pass(pipe[0], STDIN_FILENO);
  settings.pass(output_, STDOUT_FILENO);
  settings.pass(errors_, STDERR_FILENO);
  const int failure = settings.start(command, pid_);
  ::close(pipe[0]);
  input_ = pipe[1];
  ::fcntl(input_, F_SETFL, O_NONBLOCK);
  watch_.emplace(pid_);
  if (failure == 0) return;
  for (const int descriptor : {input_, output_, errors_}) ::close(descriptor);
  throw sim::Error(sim::why_not_started(command.front(), failure));
}

ChildProcess::~ChildProcess() { finish(); }

bool ChildProcess::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto done = ::write(input_, bytes.data(), bytes.size());
    if (done < 0 && errno == EAGAIN) {
      if (!wait_for_reader()) return false;
    } else if (done < 0 && errno != EINTR) {
      return false;
    } else if (done > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
  }
  return true;
}

/// A reader that hangs is waited for as long as the program runs: somebody may have stopped it for a while.
bool ChildProcess::wait_for_reader() {
  pollfd pipe{.fd = input_, .events = POLLOUT, .revents = 0};
  ::poll(&pipe, 1, static_cast<int>(between_looks.count()));
  if (sim::interrupted()) watch_->look(true);
  return !watch_->gave_up();
}

bool ChildProcess::ended() const {
  if (pid_ < 0) return true;
  // finish() still wants to know how.
  siginfo_t info{};
  const bool known =
      ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 || errno == EINTR;
  return !known || info.si_pid != 0;
}

void ChildProcess::interrupt() const {
  if (pid_ >= 0) ::kill(pid_, SIGTERM);
}

const ChildEnding& ChildProcess::finish() {
  if (pid_ < 0) return ending_;
  ::close(std::exchange(input_, -1));
  while (!sim::child_ends_within(pid_, between_looks)) watch_->look(sim::interrupted());
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  ending_.succeeded = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  ending_.output = text_of(output_);
  if (!ending_.succeeded)
    ending_.problem = watch_->gave_up() ? "it hung and was ended" : problem_of(status, text_of(errors_));
  ::close(output_);
  ::close(errors_);
  return ending_;
}

bool is_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/usr/bin:/bin");
  std::string folder;
  while (std::getline(folders, folder, ':')) {
    const auto file = (folder.empty() ? "." : folder) + "/" + name;
    struct stat entry {};
    if (::stat(file.c_str(), &entry) == 0 && S_ISREG(entry.st_mode) && ::access(file.c_str(), X_OK) == 0)
      return true;
  }
  return false;
}

void block_broken_pipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace orrery::app
