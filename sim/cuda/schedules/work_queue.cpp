#include "sim/cuda/schedules/work_queue.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orrery::sim::cuda {

namespace {

constexpr std::size_t most_queued = 64;
/// That many launches, or so much work, have one event.
constexpr int launches_of_an_event = 8;
constexpr double ms_of_an_event = 0.25;
/// One evaluation of that many is measured, and all that take so long. A prime number: what comes round every
/// few evaluations, as new trees do, is measured as often as it is made.
constexpr std::uint64_t evaluations_of_a_measured_one = 17;
constexpr double ms_measured = 1.0;

}  // namespace

void WorkQueue::expect_another_kernel(double least_rate) {
  least_rate_ = least_rate;
  measured_.forget();
  rate_ = std::max(least_rate_, 1.0);
  for (const auto& stamps : stamps_) stamps->is_old = true;
}

void WorkQueue::drop_first() {
  spare_events_.push_back(std::move(queue_.front().done));
  queue_.pop_front();
}

bool WorkQueue::full() {
  const bool had_work = !queue_.empty();
  while (!queue_.empty() && queue_.front().done->passed()) drop_first();
  if (had_work && queue_.empty()) depth_.ran_dry();
  const bool enough = has_enough();
  if (enough) depth_.was_enough();
  return enough;
}

bool WorkQueue::has_enough() const {
  if (queue_.size() >= most_queued) return true;
  const double waiting =
      std::accumulate(queue_.begin(), queue_.end(), unmarked_ms_,
                      [](double sum, const Queued& queued) { return sum + queued.estimate_ms; });
  // The GPU works on the first one: another must wait behind it.
  const bool another = queue_.size() > 1 || waiting >= QueueDepth::most_ms;
  return another && waiting >= depth_.ms();
}

void WorkQueue::make_room() {
  while (queue_.size() >= most_queued) {
    queue_.front().done->wait();
    drop_first();
  }
  while (!queue_.empty() && queue_.front().done->passed()) drop_first();
}

void WorkQueue::add(double interactions, CUstream stream) {
  const double known = measured_.best();
  unmarked_ms_ += interactions / (known > 0.0 ? known : rate_);
  if (++unmarked_ < launches_of_an_event && unmarked_ms_ < ms_of_an_event) return;
  if (spare_events_.empty()) spare_events_.push_back(std::make_unique<Event>());
  queue_.push_back({std::move(spare_events_.back()), std::exchange(unmarked_ms_, 0.0)});
  spare_events_.pop_back();
  unmarked_ = 0;
  queue_.back().done->record(stream);
}

bool WorkQueue::measures_next(double interactions) const {
  return stamps_.empty() || stamps_.back()->is_old || interactions > rate_ * ms_measured ||
         unmeasured_ + 1 >= evaluations_of_a_measured_one;
}

void WorkQueue::begin_evaluation(double interactions, double share, bool updates, CUstream stream) {
  evaluates_ = true;
  measuring_ = measures_next(interactions);
  share_ = share;
  if (!measuring_) return;
  if (spare_stamps_.empty()) spare_stamps_.push_back(std::make_unique<Stamps>());
  stamps_.push_back(std::move(spare_stamps_.back()));
  spare_stamps_.pop_back();
  auto& stamps = *stamps_.back();
  stamps.interactions = interactions;
  stamps.share = share;
  stamps.unmeasured = std::exchange(unmeasured_, 0);
  stamps.unmeasured_sums = std::exchange(unmeasured_sums_, 0.0);
  stamps.is_old = false;
  stamps.has_begin = updates;
  if (updates) stamps.begin.record(stream);
}

void WorkQueue::begin_forces(CUstream stream) {
  if (measuring_) stamps_.back()->start.record(stream);
}

void WorkQueue::end_evaluation(CUstream stream) {
  evaluates_ = false;
  if (measuring_) return stamps_.back()->end.record(stream);
  ++unmeasured_;
  unmeasured_sums_ += share_;
}

void WorkQueue::abandon_evaluation() {
  if (!std::exchange(evaluates_, false) || !measuring_ || stamps_.empty()) return;
  unmeasured_ = stamps_.back()->unmeasured;
  unmeasured_sums_ = stamps_.back()->unmeasured_sums;
  spare_stamps_.push_back(std::move(stamps_.back()));
  stamps_.pop_back();
}

void WorkQueue::read(const Stamps& stamps, StepTimings& timings) {
  timings.force_ms = stamps.end.milliseconds_since(stamps.start);
  if (stamps.has_begin) timings.update_ms = stamps.start.milliseconds_since(stamps.begin);
  if (timings.force_ms <= 0.0) return;
  ++timings.measured;
  timings.measured_ms += timings.force_ms;
  timings.measured_sums += stamps.share;
  const double rate = stamps.interactions / timings.force_ms;
  measured_.add(rate);
  rate_ = std::max(rate, least_rate_);
}

void WorkQueue::poll(StepTimings& timings) {
  // The one under way has no end yet.
  while (stamps_.size() > (evaluates_ && measuring_ ? 1U : 0U)) {
    auto& oldest = *stamps_.front();
    if (!oldest.end.passed()) return;
    timings.evaluations += 1 + oldest.unmeasured;
    timings.sums += oldest.share + oldest.unmeasured_sums;
    if (oldest.is_old)
      timings.force_ms = 0.0;
    else
      read(oldest, timings);
    spare_stamps_.push_back(std::move(stamps_.front()));
    stamps_.pop_front();
  }
}

void WorkQueue::count_unmeasured(StepTimings& timings) {
  timings.evaluations += std::exchange(unmeasured_, 0);
  timings.sums += std::exchange(unmeasured_sums_, 0.0);
}

}  // namespace orrery::sim::cuda
