#include "lab/bench/live_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "sim/core/percentile.h"

namespace orrery::lab {

namespace {

/// Steps that were queued on a GPU before the switch may end after it.
constexpr std::uint64_t old_evaluations = 2;
/// That many times the time for each is spent at most; what is slower is measured once.
constexpr double longest_part = 4.0;

/// Milliseconds of a force evaluation of all bodies, by those that were measured since `before`; 0: none was.
double evaluation_ms(const sim::StepTimings& now, const sim::StepTimings& before) {
  const double sums = now.measured_sums - before.measured_sums;
  return sums > 0.0 ? now.ms_since(before) / sums : 0.0;
}

}  // namespace

void LiveMeasurement::start(std::vector<LiveTask> tasks, Pace pace) {
  tasks_ = std::move(tasks);
  results_.assign(tasks_.size(), {});
  pace_ = pace;
  current_ = 0;
  phase_ = tasks_.empty() ? Phase::idle : Phase::next;
}

void LiveMeasurement::stop() {
  if (!running()) return;
  auto& result = results_[current_];
  if (result.state == LiveResult::State::running) result.state = LiveResult::State::waiting;
  phase_ = Phase::idle;
}

void LiveMeasurement::update(const Feed& feed, const SwitchTo& switch_to) {
  if (phase_ == Phase::idle) return;
  if (phase_ == Phase::next) return begin_task(feed, switch_to);
  if (phase_ == Phase::asked) {
    // Since the last frame what was asked for has been sent.
    wanted_revision_ = feed.revision;
    restart_window(feed);
  }
  if (feed.paused) return restart_window(feed);
  if (feed.frame.revision < wanted_revision_) {
    if (feed.now >= give_up_) give_up();
    return;
  }
  if (!feed.frame.problem.empty()) return refuse(feed.frame.problem);
  if (phase_ == Phase::settling)
    settle(feed);
  else
    collect(feed);
}

/// One a frame, also of those that are refused: it may take a while to look at all options.
void LiveMeasurement::begin_task(const Feed& feed, const SwitchTo& switch_to) {
  const auto& task = tasks_[current_];
  const auto reason = task.refusal.empty() ? switch_to(task.configuration) : task.refusal;
  if (!reason.empty()) return refuse(reason);
  results_[current_].state = LiveResult::State::running;
  restart_window(feed);
  phase_ = Phase::asked;
}

void LiveMeasurement::finish_task() {
  ++current_;
  phase_ = current_ < tasks_.size() ? Phase::next : Phase::idle;
}

void LiveMeasurement::refuse(const std::string& reason) {
  results_[current_] = {.state = LiveResult::State::refused, .refusal = reason};
  finish_task();
}

void LiveMeasurement::give_up() {
  results_[current_] = {.state = LiveResult::State::given_up,
                        .refusal = fmt::format("over {:g} s per step", pace_.patience.count())};
  finish_task();
}

/// A median and what all of it took.
void LiveMeasurement::accept(double milliseconds, double interactions, double frame_seconds,
                             const Spread& spread) {
  auto& result = results_[current_];
  result.state = LiveResult::State::measured;
  const auto rates = rates_of({interactions, milliseconds}, {interactions, 1e3 * frame_seconds});
  result.gips_kernel = rates.kernel;
  result.gips_frame = rates.whole;
  result.seconds = std::min(1e-3 * milliseconds, frame_seconds);
  result.spread = spread;
  finish_task();
}

/// Back to waiting for steps of the present configuration.
void LiveMeasurement::restart_window(const Feed& feed) {
  phase_ = Phase::settling;
  seen_ = false;
  sample_count_ = 0;
  asked_at_ = feed.now;
  give_up_ = feed.now + std::chrono::duration_cast<Clock::duration>(pace_.patience);
}

void LiveMeasurement::settle(const Feed& feed) {
  const auto& timings = feed.frame.timings;
  const bool on_device = !feed.frame.report.device.empty();
  // After a reset the count begins again.
  if (!seen_ || timings.evaluations < base_.evaluations) {
    const auto& before = feed.frame.timings_before;
    base_ = on_device || timings.evaluations < before.evaluations ? timings : before;
  }
  if (feed.frame.report.compiling) {
    base_ = timings;
    asked_at_ = feed.now;
  }
  seen_ = true;
  const auto fresh = timings.evaluations - base_.evaluations;
  const std::chrono::duration<double> waited = feed.now - asked_at_;
  const double slow_ms = evaluation_ms(timings, base_);
  if (fresh > 0 && waited > longest_part * pace_.each && slow_ms > 0.0) {
    double once = slow_ms;
    // It may have begun before it was asked for.
    return accept(slow_ms, timings.interactions,
                  std::max(waited.count() / (timings.sums - base_.sums), 1e-3 * slow_ms),
                  spread_of_times({&once, 1}));
  }
  // A device's evaluations are counted some time after they were queued.
  if (fresh >= (on_device ? old_evaluations : 1)) {
    phase_ = Phase::collecting;
    window_base_ = last_ = timings;
    window_start_ = feed.frame.known_at;
  } else if (feed.now >= give_up_) {
    give_up();
  }
}

void LiveMeasurement::collect(const Feed& feed) {
  results_[current_].busy |= feed.busy;
  const auto& timings = feed.frame.timings;
  if (timings.evaluations < last_.evaluations) return restart_window(feed);
  if (timings.evaluations == last_.evaluations) {
    if (feed.now >= give_up_) give_up();
    return;
  }
  const double milliseconds = evaluation_ms(timings, std::exchange(last_, timings));
  if (milliseconds > 0.0 && sample_count_ < most_samples) samples_[sample_count_++] = milliseconds;
  if (sample_count_ == 0) return;
  // As long as these evaluations took, not until a frame of the window saw them.
  const std::chrono::duration<double> elapsed = feed.frame.known_at - window_start_;
  const bool enough = sample_count_ >= static_cast<std::size_t>(pace_.samples) && elapsed >= pace_.each;
  if (!enough && elapsed < longest_part * pace_.each) return;
  accept(median_ms(), timings.interactions, elapsed.count() / (last_.sums - window_base_.sums), spread());
}

Spread LiveMeasurement::spread() const {
  auto times = samples_;
  return spread_of_times(std::span(times).first(sample_count_));
}

double LiveMeasurement::median_ms() const {
  auto sorted = samples_;
  return sim::median(std::span(sorted).first(sample_count_));
}

}  // namespace orrery::lab
