#include "sim/simulation/step_watch.h"

#include <fmt/format.h>

#include <utility>

#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"

namespace orrery::sim {

void StepWatch::follow(const Control& control) {
  if (control.series != series_) end();
  series_ = control.series;
  timeline_ = control.timeline;
}

void StepWatch::before_step(const SteppedRun& run, Clock::time_point now) {
  constexpr std::chrono::milliseconds timeline_interval{500};
  const bool owed = series_ && series_->before_step(run.engine, run.steps,
                                                    physics_of(effective(options_, run.configuration)));
  checks_.ask_if_due(run, now, owed);
  if (timeline_ && now >= next_timeline_) {
    run.engine.observe({.timeline = true});
    next_timeline_ = now + timeline_interval;
  }
}

void StepWatch::finish_step(const SteppedRun& run) const {
  // The state and the forces of that step, not of one queued later.
  if (series_ && series_->concerns(run.steps + 1)) run.engine.finish();
}

void StepWatch::take(const SteppedRun& run, ForceSample sample) {
  if (series_) series_->take(sample);
  checks_.take(run, std::move(sample));
}

void StepWatch::record(const SteppedRun& run) const {
  if (series_)
    series_->after_step(run.engine, run.steps, physics_of(effective(options_, run.configuration)),
                        fmt::format("{}, {}", run.engine.kind().name, computing_name(run.configuration)));
}

}  // namespace orrery::sim
