#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "sim/cuda/driver/device.h"
#include "sim/cuda/schedules/queue_depth.h"
#include "sim/cuda/schedules/recent_rates.h"
#include "sim/engines/engine.h"

namespace orrery::sim::cuda {

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
  /// Reads the times of evaluations that are done into `timings`. `under_way`: the last one has no end yet.
  void poll(StepTimings& timings, bool under_way);
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
