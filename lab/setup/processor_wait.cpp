#include "lab/setup/processor_wait.h"

#include <fstream>
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

}  // namespace orrery::lab
