#include "sim/snapshots/reader_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <string>

#include "sim/core/child_processes.h"
#include "sim/core/descriptor.h"
#include "sim/core/error.h"
#include "sim/core/free_memory.h"
#include "sim/core/message.h"
#include "sim/core/own_module.h"
#include "sim/snapshots/scene_wire.h"

namespace orrery::sim {

namespace {

/// A descriptor that was made just now. Throws Error if there is none.
Descriptor required(int number) {
  if (number < 0) throw Error("files cannot be read in a process of their own: " + reason_of(errno));
  return Descriptor(number);
}

/// The task as a file in memory, whose first page both processes map: how far the work is.
class TaskFile {
 public:
  explicit TaskFile(ReaderTask& task) : file_(required(::memfd_create("task", MFD_CLOEXEC))) {
    void* page = MAP_FAILED;
    if (::ftruncate(file_.number(), reader_page) == 0)
      page = ::mmap(nullptr, reader_page, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (page == MAP_FAILED) throw std::bad_alloc();
    progress_ = new (page) Progress;
    ::lseek(file_.number(), reader_page, SEEK_SET);
    const WireSender send(file_.number());
    pass_task(send, task);
    ::lseek(file_.number(), reader_page, SEEK_SET);
  }
  TaskFile(const TaskFile&) = delete;
  TaskFile& operator=(const TaskFile&) = delete;
  ~TaskFile() { ::munmap(progress_, reader_page); }
  int number() const { return file_.number(); }
  /// From 0 to 1, whatever the other process wrote there.
  float fraction() const {
    const float stated = progress_->fraction.load(std::memory_order_relaxed);
    return stated > 0.0F ? std::min(stated, 1.0F) : 0.0F;
  }

 private:
  Descriptor file_;
  Progress* progress_ = nullptr;
};

/// Starts the reader, which keeps two descriptors under their numbers and says nothing on the terminal.
pid_t start_reader(const std::string& program, int task, int answer) {
  SpawnSettings settings;
  for (const int each : {task, answer}) settings.pass(each, each);
  settings.open(STDERR_FILENO, "/dev/null", O_WRONLY);
  settings.pass(STDERR_FILENO, STDOUT_FILENO);
  pid_t process = 0;
  const int failure = settings.start({program, std::to_string(task), std::to_string(answer)}, process);
  if (failure == 0) return process;
  throw Error(fmt::format("files cannot be read: {} does not start ({}){}", program, reason_of(failure),
                          failure == ENOENT ? "; install orrery again" : ""));
}

/// The other process ended before its answer did.
struct NoAnswer {};

/// The reader at its work; ended when this goes.
class Reader {
 public:
  Reader(const std::filesystem::path& program, ReaderTask task)
      : task_(task), progress_(task.options.progress) {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) ends = {-1, -1};
    answer_ = required(ends[0]);
    const Descriptor far_end(ends[1]);
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    process_ = start_reader(program.string(), task_.number(), ends[1]);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() { end(); }

  /// Fills `size` bytes from the answer. Throws NoAnswer where it ends, Cancelled if the watcher asks for it.
  void take(void* to, std::size_t size) const {
    for (auto* at = static_cast<char*>(to); size > 0;) {
      Ticker(progress_, 1, task_.fraction()).at(0);
      pollfd waiting{.fd = answer_.number(), .events = POLLIN, .revents = 0};
      if (::poll(&waiting, 1, 50) <= 0) continue;
      const auto got = ::read(answer_.number(), at, size);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw NoAnswer{};
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  }

  /// Ends it and returns how it ended: by itself, if its answer had ended.
  int end() {
    int status = 0;
    if (process_ > 0) ::kill(process_, SIGKILL);
    while (process_ > 0 && ::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
    return status;
  }

 private:
  TaskFile task_;
  Progress* progress_;
  Descriptor answer_;
  pid_t process_ = 0;
};

[[noreturn]] void refuse_without_answer(const std::filesystem::path& path, int status) {
  if (!WIFSIGNALED(status)) cannot_read(path, "the reader ended without an answer; try again");
  const int signal = WTERMSIG(status);
  if (signal == SIGXCPU)
    cannot_read(path, "the reader came to no end in the time that a file of this size takes; copy it again");
  if (signal == SIGKILL)
    cannot_read(path,
                "the system ended the reader, as where memory runs out; close other programs or use a "
                "smaller file");
  const char* const name = ::sigabbrev_np(signal);
  cannot_read(
      path, fmt::format("the reader crashed (SIG{}): the file is damaged, or made to do harm; copy it again",
                        name == nullptr ? "?" : name));
}

[[noreturn]] void refuse_nonsense(const std::filesystem::path& path) {
  cannot_read(path,
              "the reader's answer makes no sense: the file is damaged, or made to do harm; copy it again");
}

/// The promises of read_snapshot(), which everything relies on that looks at bodies.
bool makes_sense(const Scene& scene) {
  const auto& bodies = scene.bodies;
  const auto count = bodies.size();
  const auto is_optional = [&](const auto& values) { return values.empty() || values.size() == count; };
  return count > 0 && bodies.velocity.size() == count && bodies.mass.size() == count &&
         bodies.charge.size() == count && bodies.id.size() == count && bodies.component.size() == count &&
         bodies.galaxy.size() == count && is_optional(bodies.color) && is_optional(scene.names) &&
         is_optional(scene.radii) && bodies.galaxy.front() == 0 && std::ranges::is_sorted(bodies.galaxy) &&
         std::ranges::all_of(bodies.component,
                             [](Component c) { return std::size_t(c) < component_count; }) &&
         (scene.physics.dimensions == 2 || scene.physics.dimensions == 3);
}

bool is_layout(const std::string& columns, std::size_t width) try {
  return columns_of_option(columns).size() == width;
} catch (const UsageError&) {
  return false;
}

/// Receives a question of the reader. Its texts are shown as they are, so control characters are removed.
ColumnQuestion receive_question(WireReceiver& receive) {
  ColumnQuestion question;
  pass(receive, question);
  const auto width = question.rows.empty() ? 0 : question.rows.front().size();
  if (question.rows.size() > ColumnQuestion::most_rows ||
      question.proposals.size() > ColumnQuestion::most_proposals || width > ColumnQuestion::most_columns ||
      (width == 0 && !question.rows.empty()))
    throw Nonsense();
  for (auto& row : question.rows) {
    if (row.size() != width) throw Nonsense();
    for (auto& text : row) text = one_line(text);
  }
  for (auto& each : question.proposals) {
    if (!is_layout(each.columns, width)) throw Nonsense();
    each.gives = one_line(each.gives);
  }
  return question;
}

/// Receives the answer: a refusal, or what was asked for, which `receive_wanted` receives.
template <typename ReceiveWanted>
void receive_answer(const Reader& reader, ReaderAnswer wanted, const ReceiveWanted& receive_wanted) {
  // Who uses bodies needs several times as much.
  constexpr double part = 0.25, most = 1e15;
  const auto room = static_cast<std::size_t>(std::min(part * free_memory(), most));
  WireReceiver receive([&](void* to, std::size_t size) { reader.take(to, size); }, room);
  ReaderAnswer kind{};
  receive(kind);
  if (kind == wanted) return receive_wanted(receive);
  if (kind != ReaderAnswer::refusal && kind != ReaderAnswer::usage_refusal && kind != ReaderAnswer::question)
    throw Nonsense();
  std::string refusal;
  receive(refusal);
  refusal = one_line(refusal);
  if (kind == ReaderAnswer::question) throw UnclearColumns(refusal, receive_question(receive));
  if (kind == ReaderAnswer::usage_refusal) throw UsageError(refusal);
  throw Error(refusal);
}

}  // namespace

std::filesystem::path reader_program() { return own_file(ORRERY_READER); }

Scene read_snapshot_apart(const std::filesystem::path& path, const ReadOptions& options,
                          const std::filesystem::path& program) {
  Reader reader(program, {.path = path.string(), .options = options});
  Scene scene;
  try {
    receive_answer(reader, ReaderAnswer::scene, [&](auto& receive) { pass(receive, scene); });
  } catch (const NoAnswer&) {
    refuse_without_answer(path, reader.end());
  } catch (const Nonsense&) {
    refuse_nonsense(path);
  } catch (const std::bad_alloc&) {
    cannot_read(path,
                "there is not enough memory for its bodies; close other programs or use a smaller file");
  }
  if (!makes_sense(scene)) refuse_nonsense(path);
  return scene;
}

std::size_t count_snapshots_apart(const std::filesystem::path& path, const ReadOptions& options,
                                  const std::filesystem::path& program) {
  Reader reader(program, {.path = path.string(), .counts = true, .options = options});
  std::size_t count = 1;
  try {
    receive_answer(reader, ReaderAnswer::count, [&](auto& receive) { receive(count); });
  } catch (const NoAnswer&) {
    return 1;
  } catch (const Nonsense&) {
    return 1;
  }
  return count;
}

}  // namespace orrery::sim
