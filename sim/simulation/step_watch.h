#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "sim/simulation/control.h"
#include "sim/simulation/step_checks.h"

namespace orrery::sim {

/// The results that are taken out of the steps besides frames: samples for the checks, states for a series,
/// timelines. Of the stepping thread.
class StepWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `scene`: the bodies with which the run begins. `options` and `monitor` must outlive it.
  StepWatch(const OptionTable& options, std::shared_ptr<const Scene> scene, Monitor& monitor)
      : options_(options), checks_(std::move(scene), monitor) {}

  StepChecks& checks() { return checks_; }
  /// Sets the controls whose series and timelines are wanted. The series before, if it is another one, ends.
  void follow(const Control& control);
  /// Ends the series: no more steps come.
  void end() const {
    if (series_) series_->end();
  }

  /// False while the next step would have to wait for a file of the series.
  bool has_room(const SteppedRun& run) const { return !series_ || series_->has_room(run.steps + 1); }
  /// Asks the engine for what is wanted of the next step.
  void before_step(const SteppedRun& run, Clock::time_point now);
  /// The engine has completed a step, which `run` does not count yet: it waits for the device if the series
  /// wants that step.
  void finish_step(const SteppedRun& run) const;
  /// A sample of forces came.
  void take(const SteppedRun& run, ForceSample sample);
  /// `run` has one more step.
  void after_step(const SteppedRun& run) {
    checks_.end_step(run);
    record(run);
  }
  /// Hands the present state to the series, if it wants it.
  void record(const SteppedRun& run) const;
  /// Makes the next step give a timeline, if timelines are wanted.
  void hurry_timeline() { next_timeline_ = {}; }

 private:
  const OptionTable& options_;
  StepChecks checks_;
  std::shared_ptr<SeriesRecorder> series_;  ///< null: none
  bool timeline_ = false;                   ///< somebody looks at timelines
  Clock::time_point next_timeline_{};
};

}  // namespace orrery::sim
