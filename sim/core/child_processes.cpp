#include "sim/core/child_processes.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "sim/core/descriptor.h"
#include "sim/core/message.h"

namespace orrery::sim {

SpawnSettings::SpawnSettings() {
  posix_spawn_file_actions_init(&actions_);
  posix_spawnattr_init(&attributes_);
  posix_spawnattr_setflags(&attributes_,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes_, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes_, &signals);
}

SpawnSettings::~SpawnSettings() {
  posix_spawn_file_actions_destroy(&actions_);
  posix_spawnattr_destroy(&attributes_);
}

void SpawnSettings::pass(int descriptor, int number) {
  posix_spawn_file_actions_adddup2(&actions_, descriptor, number);
}

void SpawnSettings::open(int number, const char* file, int flags) {
  posix_spawn_file_actions_addopen(&actions_, number, file, flags, 0);
}

int SpawnSettings::start(const std::vector<std::string>& command, pid_t& process) const {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  return ::posix_spawnp(&process, words.front(), &actions_, &attributes_, words.data(), environ);
}

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

bool has_ended(pid_t child) {
  siginfo_t info{};
  const bool known = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
  return known ? info.si_pid != 0 : errno != EINTR;
}

/// Waits for the end without asking again and again, where the system lets it.
void wait_for_news(pid_t child, milliseconds patience) {
  const Descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  if (!watched) return std::this_thread::sleep_for(std::min(patience, milliseconds(5)));
  pollfd news{.fd = watched.number(), .events = POLLIN, .revents = 0};
  ::poll(&news, 1, static_cast<int>(patience.count()));
}

/// The CPU time of a process in clock ticks, if it belongs to the group; else 0.
long ticks_of(const fs::path& process, pid_t group) {
  std::ifstream file(process / "stat");
  std::string line;
  std::getline(file, line);
  // The name may contain anything, also parentheses.
  const auto after_name = line.rfind(')');
  if (after_name == std::string::npos) return 0;
  long of_group = 0, user = 0, kernel = 0;
  const int found =
      std::sscanf(line.c_str() + after_name + 1, " %*c %*d %ld %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld",
                  &of_group, &user, &kernel);
  return found == 3 && of_group == group ? user + kernel : 0;
}

long ticks_of_group(pid_t group) {
  long sum = 0;
  std::error_code failure;
  for (fs::directory_iterator each("/proc", failure), end; !failure && each != end; each.increment(failure)) {
    const auto name = each->path().filename().native();
    if (name.find_first_not_of("0123456789") == std::string::npos) sum += ticks_of(each->path(), group);
  }
  return sum;
}

}  // namespace

std::string why_not_started(const std::string& program, int error_number) {
  return fmt::format("{} cannot be started: {}{}", program, reason_of(error_number),
                     error_number == ENOENT ? "; check that it is in PATH" : "");
}

bool child_ends_within(pid_t child, milliseconds patience) {
  const auto limit = std::chrono::steady_clock::now() + patience;
  while (!has_ended(child)) {
    const auto left = std::chrono::ceil<milliseconds>(limit - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    wait_for_news(child, left);
  }
  return true;
}

int end_child(pid_t child) {
  ::kill(child, SIGTERM);
  ::kill(child, SIGCONT);
  if (!child_ends_within(child, std::chrono::seconds(2))) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

milliseconds HangWatch::patience(bool hurry) const {
  // A stopped encoder goes on at once. One that lives uses CPU time within seconds, however busy the
  // machine.
  if (step_ == 0) return std::chrono::seconds(hurry ? 0 : 60);
  return std::chrono::seconds(step_ == 1 ? 3 : 2);
}

void HangWatch::look(bool hurry) {
  constexpr milliseconds between_looks{200};
  const auto now = Clock::now();
  if (now - looked_ < between_looks || step_ == 3) return;
  looked_ = now;
  const auto used = ticks_of_group(group_);
  if (used != used_) since_ = now;
  used_ = used;
  if (now - since_ < patience(hurry)) return;
  ++step_;
  since_ = now;
  if (step_ == 2) ::kill(-group_, SIGTERM);
  ::kill(-group_, step_ == 3 ? SIGKILL : SIGCONT);
}

}  // namespace orrery::sim
