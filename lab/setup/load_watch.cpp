#include "lab/setup/load_watch.h"

#include <sys/resource.h>
#include <unistd.h>
#include <string>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <utility>

namespace orrery::lab {

ProcessorWait::ProcessorWait(std::filesystem::path tasks) : tasks_(std::move(tasks)) {}

void ProcessorWait::update(Clock::time_point now) {
  if (now < next_) return;
  next_ = now + std::chrono::seconds(1);
  const auto before = std::exchange(last_, read());
  share_.reset();
  if (!before || !last_) return;
  // The times of a thread that has ended are gone.
  const double running = last_->running - before->running;
  const double waiting = last_->waiting - before->waiting;
  if (running >= 0.0 && waiting >= 0.0 && running + waiting > 0.0) share_ = waiting / (running + waiting);
}

/// The sums over all threads.
std::optional<ProcessorWait::Totals> ProcessorWait::read() const {
  Totals totals;
  bool any = false;
  std::error_code failure;
  for (const auto& task : std::filesystem::directory_iterator(tasks_, failure)) {
    std::ifstream file(task.path() / "schedstat");
    double running = 0.0, waiting = 0.0;
    if (!(file >> running >> waiting)) continue;
    totals.running += running;
    totals.waiting += waiting;
    any = true;
  }
  return any ? std::optional(totals) : std::nullopt;
}

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double own_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

bool LoadOfOthers::busy() const {
  // A compositor and the like take less.
  constexpr double noticeable = 0.35, free_enough = 0.5;
  return processors > noticeable && idle < free_enough;
}

std::optional<ProcessorTimes> read_processor_times(const std::filesystem::path& file) {
  // user, nice, system, idle, waiting for a disk, interrupts, soft interrupts, taken by another machine
  std::array<double, 8> ticks{};
  std::ifstream stream(file);
  std::string name;
  if (!(stream >> name) || name != "cpu") return std::nullopt;
  for (auto& each : ticks)
    if (!(stream >> each)) return std::nullopt;
  const double tick = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  const double idle = ticks[3] + ticks[4];
  double all = 0.0;
  for (const double each : ticks) all += each;
  return ProcessorTimes{.busy = tick * (all - idle), .idle = tick * idle, .own = own_seconds()};
}

LoadWatch::LoadWatch(std::function<std::optional<ProcessorTimes>()> read) : read_(std::move(read)) {
  if (!read_) read_ = [] { return read_processor_times(); };
}

void LoadWatch::update(Clock::time_point now) {
  if (last_ && now - at_ < shortest) return;
  const double passed = std::chrono::duration<double>(now - std::exchange(at_, now)).count();
  const auto before = std::exchange(last_, read_());
  load_.reset();
  if (!before || !last_ || passed <= 0.0) return;
  const double own = last_->own - before->own;
  load_ = LoadOfOthers{.processors = std::max((last_->busy - before->busy - own) / passed, 0.0),
                       .idle = std::max((last_->idle - before->idle) / passed, 0.0)};
}

}  // namespace orrery::lab
