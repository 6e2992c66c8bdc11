#include "app/connect/talking_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>

#include "sim/core/child_processes.h"
#include "sim/core/error.h"
#include "sim/core/interrupt.h"

namespace orrery::app {

namespace {

constexpr int look_again_ms = 200;

int status_of(int raw) { return WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw); }

std::vector<char*> words_of(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT(*-const-cast)
  words.push_back(nullptr);
  return words;
}

int start(const std::vector<std::string>& command, int input, int output, pid_t& pid) {
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  const auto words = words_of(command);
  const int failure = posix_spawnp(&pid, words.front(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

void close_all(std::initializer_list<int> descriptors) {
  for (const int descriptor : descriptors)
    if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

TalkingProcess::TalkingProcess(const std::vector<std::string>& command, Input input) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  int failure = ::pipe2(in.data(), O_CLOEXEC) == 0 && ::pipe2(out.data(), O_CLOEXEC) == 0 ? 0 : errno;
  if (failure == 0) failure = start(command, in[0], out[1], pid_);
  close_all({in[0], out[1]});
  input_ = in[1];
  output_ = out[0];
  if (failure != 0) {
    close_all({input_, output_});
    throw sim::Error(sim::why_not_started(command.front(), failure));
  }
  if (input == Input::empty) close_input();
}

TalkingProcess::~TalkingProcess() {
  close_input();
  if (!status_) status_ = status_of(sim::end_child(pid_));
  close_all({output_});
}

bool TalkingProcess::read_more() {
  while (!sim::interrupted()) {
    pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, look_again_ms) <= 0) continue;
    std::array<char, 4096> part{};
    const auto got = ::read(output_, part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    read_.append(part.data(), static_cast<std::size_t>(got));
    return true;
  }
  return false;
}

std::optional<std::string> TalkingProcess::next_line() {
  auto end = read_.find('\n');
  while (end == std::string::npos) {
    const auto searched = read_.size();
    if (!read_more()) return std::nullopt;
    end = read_.find('\n', searched);
  }
  auto line = read_.substr(0, end);
  read_.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

bool TalkingProcess::ended() {
  if (status_) return true;
  int raw = 0;
  const auto got = ::waitpid(pid_, &raw, WNOHANG);
  // A system that keeps no status (SIGCHLD is ignored) says that there is no child.
  if (got == pid_ || (got < 0 && errno != EINTR)) status_ = status_of(raw);
  return status_.has_value();
}

void TalkingProcess::close_input() {
  close_all({input_});
  input_ = -1;
}

void TalkingProcess::terminate() const {
  if (!status_) ::kill(pid_, SIGTERM);
}

int TalkingProcess::wait() {
  while (!ended()) {
    const bool over = sim::child_ends_within(pid_, std::chrono::milliseconds(look_again_ms));
    if (!over && sim::interrupted()) status_ = status_of(sim::end_child(pid_));
  }
  return *status_;
}

void start_apart(const std::vector<std::string>& command) {
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  posix_spawnattr_t attributes{};
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t pid = -1;
  const auto words = words_of(command);
  // Whoever has no browser has the address all the same.
  posix_spawnp(&pid, words.front(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
}

int run_quietly(const std::vector<std::string>& command) {
  TalkingProcess process(command, TalkingProcess::Input::empty);
  while (process.next_line()) {
  }
  return process.wait();
}

}  // namespace orrery::app
