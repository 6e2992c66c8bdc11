#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/engines/engine.h"

namespace orrery::sim::cuda {

/// Controls the amount of work queued ahead of the GPU: little, so that new states and switches show soon,
/// and more if the host often refills the queue too late.
class QueueDepth {
 public:
  static constexpr double least_ms = 2.0;
  static constexpr double most_ms = 12.0;

  double ms() const { return ms_; }
  /// The GPU was left without work on purpose: until there is enough again, it may run dry.
  void rest() { refills_ = true; }
  /// The GPU had nothing left to do. Once is chance: a host that was held up for longer than any queue lasts.
  void ran_dry() {
    if (refills_) return;
    const bool again = std::exchange(since_dry_, 0) < chance_times;
    if (!again) return;
    ms_ = std::min(2.0 * ms_, most_ms);
    calm_ = 0;
  }
  /// The GPU had work left: after many times without growth, the depth is reduced.
  void was_enough() {
    if (std::exchange(refills_, false)) return;
    since_dry_ = std::min(since_dry_ + 1, chance_times);
    if (++calm_ < calm_times) return;
    ms_ = std::max(0.5 * ms_, least_ms);
    calm_ = 0;
  }

 private:
  static constexpr int calm_times = 1000;   // half a second or more
  static constexpr int chance_times = 500;  // a quarter of a second: a stall of 2 ms costs 1 % of that

  double ms_ = least_ms;
  int calm_ = 0;                  ///< times that there was enough since ms_ changed
  int since_dry_ = chance_times;  ///< the same since the GPU ran dry, at most chance_times
  bool refills_ = true;           ///< there never was enough since the begin or a rest
};

/// Interactions a millisecond of the last few evaluations. The best one counts: in the others the GPU drew
/// meanwhile.
class RecentRates {
 public:
  void add(double rate) {
    rates_[next_] = rate;
    next_ = (next_ + 1) % rates_.size();
  }
  void forget() { rates_ = {}; }
  /// 0: none is known.
  double best() const { return *std::ranges::max_element(rates_); }

 private:
  std::array<double, 4> rates_{};
  std::size_t next_ = 0;
};

/// Tracks the work queued for the GPU and the cost of the last force evaluations. Events are reused; an event
/// between two kernels costs about a microsecond, so there are few.
class WorkQueue {
 public:
  /// Prepares for another kernel, whose rate is not known: its first evaluation is measured. `least_rate`:
  /// the interactions per millisecond that it is assumed to reach. Work is never cut for a slower one: while
  /// the GPU draws much, kernels seem slow, but smaller ones would only wait more often.
  void expect_another_kernel(double least_rate);
  /// Interactions per millisecond of the last force evaluation.
  double rate() const { return rate_; }

  /// Drops what is done; true if some milliseconds of work wait for the GPU.
  bool full();
  /// The GPU was left without work on purpose.
  void note_rest() { depth_.rest(); }
  /// Drops what is done, and waits where very many launches are queued.
  void make_room();
  /// Notes a launch of that many interactions, just made.
  void add(double interactions, CUstream stream);

  /// True if the next evaluation will have its times measured: every one that is long, and of short ones that
  /// are queued one after the other only some, since events between them cost time.
  bool measures_next(double interactions) const;
  /// A force evaluation begins. `share`: that part of all interactions; `updates`: with an update or an
  /// exchange that precede it.
  void begin_evaluation(double interactions, double share, bool updates, CUstream stream);
  /// The update is queued: forces begin.
  void begin_forces(CUstream stream);
  void end_evaluation(CUstream stream);
  /// The evaluation under way will not be ended.
  void abandon_evaluation();
  /// True from the begin of a force evaluation until it is ended or abandoned.
  bool evaluates() const { return evaluates_; }
  /// Reads the times of evaluations that are done into `timings`.
  void poll(StepTimings& timings);
  /// The GPU has done all that was queued: evaluations whose times were not measured count from now on.
  void count_unmeasured(StepTimings& timings);

 private:
  struct Queued {
    std::unique_ptr<Event> done;
    double estimate_ms;
  };
  struct Stamps {
    Event begin, start, end;
    bool has_begin = false;  ///< `begin` was recorded: an update came before the forces
    bool is_old = false;     ///< from a kernel that no longer runs: counted, not timed
    double interactions = 0.0, share = 1.0;
    std::uint64_t unmeasured = 0;  ///< evaluations between the measured one before and this one
    double unmeasured_sums = 0.0;  ///< sum of the shares of the unmeasured evaluations
  };
  void drop_first();
  bool has_enough() const;
  void read(const Stamps& stamps, StepTimings& timings);

  std::deque<Queued> queue_;
  QueueDepth depth_;
  double unmarked_ms_ = 0.0;  ///< launches since the last of the queue
  int unmarked_ = 0;
  bool evaluates_ = false;
  bool measuring_ = false;        ///< the evaluation that began last
  double share_ = 1.0;            ///< share of all interactions in that evaluation
  std::uint64_t unmeasured_ = 0;  ///< evaluations since the last measured one
  double unmeasured_sums_ = 0.0;  ///< sum of the shares of the unmeasured evaluations
  std::vector<std::unique_ptr<Event>> spare_events_;
  std::deque<std::unique_ptr<Stamps>> stamps_;
  std::vector<std::unique_ptr<Stamps>> spare_stamps_;
  RecentRates measured_;
  double rate_ = 1.0;
  double least_rate_ = 1.0;
};

}  // namespace orrery::sim::cuda
