#include "sim/snapshots/isolated.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>

#include "sim/core/ending_signals.h"
#include "sim/core/error.h"
#include "sim/core/message.h"

namespace orrery::sim {

// ---- Shared arrays ----

namespace {
constexpr std::size_t id_at = 0, position_at = 8, velocity_at = 20, mass_at = 32, component_at = 36;
constexpr std::size_t body_bytes = 37;
}  // namespace

SharedBodies::SharedBodies() : file_(::memfd_create("bodies", MFD_CLOEXEC)) {
  if (file_ < 0) throw Error("no memory can be shared with another process: " + reason_of(errno));
}

SharedBodies::~SharedBodies() {
  if (memory_ != nullptr) ::munmap(memory_, count_ * body_bytes);
  ::close(file_);
}

void SharedBodies::map(std::size_t count) {
  void* const memory = ::mmap(nullptr, count * body_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  count_ = count;
}

void SharedBodies::resize(std::size_t count) {
  // Reserved at once: memory that is lacking later would end the process.
  if (::posix_fallocate(file_, 0, static_cast<off_t>(count * body_bytes)) != 0) throw std::bad_alloc();
  map(count);
}

template <typename T>
std::span<T> SharedBodies::array(std::size_t bytes_before) const {
  return {reinterpret_cast<T*>(memory_ + bytes_before * count_), count_};
}

std::span<std::uint64_t> SharedBodies::id() const { return array<std::uint64_t>(id_at); }
std::span<Vec3> SharedBodies::position() const { return array<Vec3>(position_at); }
std::span<Vec3> SharedBodies::velocity() const { return array<Vec3>(velocity_at); }
std::span<float> SharedBodies::mass() const { return array<float>(mass_at); }
std::span<Component> SharedBodies::component() const { return array<Component>(component_at); }

namespace {

/// Copies and gives the shared pages back, so that the bodies are hardly ever there twice.
template <typename T>
void move_out(std::span<T> shared, std::vector<T>& to) {
  to.assign(shared.begin(), shared.end());
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(shared.data()) + page - 1) / page * page;
  const auto end = reinterpret_cast<std::uintptr_t>(shared.data() + shared.size()) / page * page;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a page of the array
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_REMOVE);
}

}  // namespace

void SharedBodies::take(std::size_t count, Bodies& bodies) {
  struct stat status {};
  if (count == 0 || ::fstat(file_, &status) != 0 ||
      static_cast<std::size_t>(status.st_size) != count * body_bytes)
    throw Error("another process left no bodies");
  map(count);
  move_out(id(), bodies.id);
  move_out(position(), bodies.position);
  move_out(velocity(), bodies.velocity);
  move_out(mass(), bodies.mass);
  move_out(component(), bodies.component);
  bodies.charge.resize(count);
  bodies.galaxy.resize(count);
}

// ---- The other process ----

namespace {

/// Messages of the other process: kinds, each one byte. After any but the first follows a text.
constexpr char progress_follows = 'p', result_follows = 'r', refusal_follows = 'e', no_memory_left = 'm';

void send(int pipe, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const auto sent = ::write(pipe, at, size);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return;
    at += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void send_text(int pipe, char kind, std::string_view text) {
  send(pipe, &kind, 1);
  send(pipe, text.data(), text.size());
}

/// Bytes of address space that this process has; its GPU's and sanitizer's parts can be huge.
std::size_t address_space() {
  std::size_t pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, rlim_t amount) {
  struct rlimit now {};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  now.rlim_cur = std::min<rlim_t>(amount, now.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

/// Ends with the program, says nothing on its terminal, leaves no memory dump.
void prepare(const IsolatedLimits& limits, std::size_t space) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  for (const int signal : ending_signals) std::signal(signal, SIG_DFL);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, limits.seconds);
  if (space > 0) limit(RLIMIT_AS, space + limits.memory);
}

[[noreturn]] void be_the_other(int pipe,
                               const std::function<std::string(const std::function<void(float)>&)>& work) {
  try {
    const auto text = work([pipe](float fraction) {
      std::array<char, 1 + sizeof(float)> message{progress_follows};
      std::memcpy(message.data() + 1, &fraction, sizeof(float));
      send(pipe, message.data(), message.size());
    });
    send_text(pipe, result_follows, text);
  } catch (const std::bad_alloc&) {
    send_text(pipe, no_memory_left, {});
  } catch (const std::exception& error) {
    send_text(pipe, refusal_follows, error.what());
  }
  ::_exit(0);
}

/// Takes the progress off the front of what arrived; the rest is the beginning of the next message.
void take_progress(std::string& arrived, Progress* progress) {
  constexpr std::size_t size = 1 + sizeof(float);
  while (arrived.size() >= size && arrived.front() == progress_follows) {
    float fraction = 0.0F;
    std::memcpy(&fraction, arrived.data() + 1, sizeof(float));
    Ticker(progress, 1, fraction).at(0);
    arrived.erase(0, size);
  }
}

/// Reads until the other process closes its end. Throws Cancelled.
std::string listen(int pipe, Progress* progress) {
  std::string arrived;
  std::array<char, 4096> buffer{};
  while (true) {
    if (progress != nullptr && progress->cancel.load(std::memory_order_relaxed)) throw Cancelled();
    struct pollfd waiting {
      pipe, POLLIN, 0
    };
    if (::poll(&waiting, 1, 50) == 0) continue;
    const auto count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return arrived;
    arrived.append(buffer.data(), static_cast<std::size_t>(count));
    take_progress(arrived, progress);
  }
}

IsolatedResult result_of(const std::string& arrived, int status) {
  using enum IsolatedResult::End;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return {too_long, {}};
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || arrived.empty()) return {crashed, {}};
  const auto text = arrived.substr(1);
  switch (arrived.front()) {
    case result_follows:
      return {done, text};
    case refusal_follows:
      return {refused, text};
    case no_memory_left:
      return {no_memory, {}};
    default:
      return {crashed, {}};
  }
}

/// A process and the pipe from it; ended when this goes.
class Other {
 public:
  Other(pid_t process, int pipe) : process_(process), pipe_(pipe) {}
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() {
    ::close(pipe_);
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  int pipe() const { return pipe_; }
  int wait() {
    int status = -1;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  pid_t process_;
  int pipe_;
};

}  // namespace

IsolatedResult run_isolated(
    const std::function<std::string(const std::function<void(float)>& progress)>& work,
    const IsolatedLimits& limits, Progress* progress) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw Error("no other process can be asked: " + reason_of(errno));
  const auto space = address_space();
  const pid_t process = ::fork();
  if (process == 0) {
    prepare(limits, space);
    be_the_other(ends[1], work);
  }
  const int problem = errno;
  ::close(ends[1]);
  Other other(process, ends[0]);
  if (process < 0) throw Error("no other process can be made: " + reason_of(problem));
  const auto arrived = listen(other.pipe(), progress);
  return result_of(arrived, other.wait());
}

}  // namespace orrery::sim
