// The program libexec/orrery/orrery_reader: reads one file for orrery and sends what it read
// (reader_process.h).
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <thread>
#include <utility>

#include "sim/core/descriptor.h"
#include "sim/core/error.h"
#include "sim/core/mapped_file.h"
#include "sim/snapshots/hdf5_library.h"
#include "sim/snapshots/reader_process.h"
#include "sim/snapshots/scene_wire.h"

namespace {

using namespace orrery::sim;

void limit(__rlimit_resource resource, rlim_t amount) {
  struct rlimit now {};
  ::getrlimit(resource, &now);
  now.rlim_cur = std::min(amount, now.rlim_max);
  ::setrlimit(resource, &now);
}

/// Bytes of memory of its own that this process has; a sanitizer's part can be huge.
std::size_t own_memory() {
  std::size_t pages = 0;
  if (std::FILE* const file = std::fopen("/proc/self/statm", "r"); file != nullptr) {
    if (std::fscanf(file, "%*u %*u %*u %*u %*u %zu", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Memory and time grow with what is read. Packed numbers take many times their size in the file.
void limit_to(std::size_t bytes) {
  static const auto at_start = own_memory();
  static std::size_t all_bytes = 0;
  all_bytes += bytes;
  constexpr std::size_t room = std::size_t{1} << 30, stack = std::size_t{16} << 20;
  constexpr std::size_t times = 256, bytes_per_second = 1'000'000;
  limit(RLIMIT_DATA, at_start + room + stack * std::thread::hardware_concurrency() + times * all_bytes);
  limit(RLIMIT_CPU, 60 + all_bytes / bytes_per_second);
}

/// Ends with the program, leaves no memory dump, fills no disk, takes nothing that is typed, and goes first
/// where memory runs out. LLVM's OpenMP makes a file of 1 KiB in memory.
void restrict_process() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC)); nothing)
    ::dup2(nothing.number(), STDIN_FILENO);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, reader_page);
  limit(RLIMIT_NOFILE, 64);
  if (std::FILE* const file = std::fopen("/proc/self/oom_score_adj", "w"); file != nullptr) {
    std::fputs("1000", file);
    std::fclose(file);
  }
}

/// Connections of a server, for example, are no business of this process.
void keep_open(int a, int b) {
  const auto first = static_cast<unsigned>(std::min(a, b)), second = static_cast<unsigned>(std::max(a, b));
  ::close_range(STDERR_FILENO + 1, first - 1, 0);
  ::close_range(first + 1, second - 1, 0);
  ::close_range(second + 1, ~0U, 0);
}

namespace fs = std::filesystem;

/// landlock_ruleset_attr of Linux 6.7, which older headers lack. Older kernels take it if
/// its second number is 0.
struct Handled {
  __u64 files = 0;
  __u64 connections = 0;
};

/// LANDLOCK_ACCESS_FS_TRUNCATE of Linux 6.2, which older headers lack.
constexpr __u64 truncate_file = 1U << 14U;

/// Rules of Linux for what this process and its threads may do from enforce() on, of the kinds that are
/// handled. Linux before 5.13 has none, and everything stays allowed.
class Rules {
 public:
  explicit Rules(const Handled& handled)
      : rules_(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0))) {}
  /// A folder with all that is in it, or a file, of which a part of the access has a meaning.
  void allow(const fs::path& path, __u64 access) const {
    const Descriptor opened(::open(path.c_str(), O_PATH | O_CLOEXEC));
    std::error_code failure;
    if (!fs::is_directory(path, failure)) access &= of_files;
    const landlock_path_beneath_attr rule{.allowed_access = access, .parent_fd = opened.number()};
    ::syscall(SYS_landlock_add_rule, rules_.number(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  void enforce() const {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ::syscall(SYS_landlock_restrict_self, rules_.number(), 0);
  }

 private:
  static constexpr __u64 of_files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                    LANDLOCK_ACCESS_FS_EXECUTE | truncate_file;
  Descriptor rules_;
};

/// Whatever a file makes of a library that reads it: nothing is written, made or removed, and nobody is
/// called. LLVM's OpenMP makes its file in /dev/shm.
void forbid_changes() {
  constexpr __u64 changes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                            LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                            LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                            LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                            LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  constexpr __u64 bind_and_connect = 3;
  constexpr int with_truncate = 3, with_connections = 4;
  const auto version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  const auto cuts = version < with_truncate ? 0 : truncate_file;
  const Rules rules(
      {.files = changes | cuts, .connections = version < with_connections ? 0 : bind_and_connect});
  rules.allow("/dev/shm", LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                              LANDLOCK_ACCESS_FS_MAKE_REG | cuts);
  rules.enforce();
}

/// The file to be read.
fs::path& file_of_task() {
  static fs::path path;
  return path;
}

/// From here on nothing is opened but what lies in the folder of the file, also by links: a snapshot may have
/// several files. libhdf5 knows many ways to other files, and not each may be known to us.
void confine() {
  static bool is_confined = false;
  if (std::exchange(is_confined, true)) return;
  constexpr __u64 reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  const Rules rules({.files = reading | LANDLOCK_ACCESS_FS_EXECUTE});
  std::error_code failure;
  const auto folder = fs::absolute(file_of_task(), failure).parent_path();
  rules.allow(folder, reading);
  for (auto each = fs::directory_iterator(folder, failure); !failure && each != fs::directory_iterator();
       each.increment(failure))
    if (each->is_symlink(failure)) rules.allow(each->path(), reading);
  rules.enforce();
}

void answer(const WireSender& send, ReaderAnswer kind, std::string_view text) { send(kind, text); }

void work(const WireSender& send, const ReaderTask& task) try {
  if (task.counts) {
    auto count = count_snapshots(task.path, task.options);
    auto kind = ReaderAnswer::count;
    send(kind, count);
  } else {
    auto scene = read_snapshot(task.path, task.options);
    auto kind = ReaderAnswer::scene;
    send(kind);
    pass(send, scene);
  }
} catch (const UnclearColumns& unclear) {
  answer(send, ReaderAnswer::question, unclear.what());
  auto question = unclear.question();
  pass(send, question);
} catch (const UsageError& error) {
  answer(send, ReaderAnswer::usage_refusal, error.what());
} catch (const Error& error) {
  answer(send, ReaderAnswer::refusal, error.what());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::fputs("orrery starts this program to read a file; it has no other use\n", stderr);
    return 2;
  }
  const int file = std::atoi(argv[1]), answers = std::atoi(argv[2]);
  keep_open(file, answers);
  survive_torn_files();
  restrict_process();
  forbid_changes();
  void* const page = ::mmap(nullptr, reader_page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) return 1;
  ReaderTask task;
  WireReceiver receive(
      [file](void* to, std::size_t size) {
        if (::read(file, to, size) != static_cast<ssize_t>(size)) throw Error("no task");
      },
      std::size_t{1} << 20);
  pass_task(receive, task);
  task.options.progress = static_cast<Progress*>(page);
  on_mapping = limit_to;
  file_of_task() = task.path;
  on_hdf5 = confine;
  const WireSender send(answers);
  if (task.version == ORRERY_VERSION)
    work(send, task);
  else
    answer(send, ReaderAnswer::refusal,
           "orrery was replaced by another version while it ran; start it again");
} catch (const std::exception&) {
  return 1;  // nobody waits for an answer any more, or there was no task
}
