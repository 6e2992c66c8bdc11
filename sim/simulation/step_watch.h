#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/engine.h"
#include "sim/scene/scene.h"
#include "sim/series/series_recorder.h"
#include "sim/simulation/monitor.h"
#include "sim/simulation/step_exchange.h"

namespace orrery::sim {

/// The engine that makes the steps and its configuration, between two calls of Engine::advance.
struct SteppedRun {
  Engine& engine;
  const Configuration& configuration;
  std::uint64_t revision;  ///< revision of the controls
  std::uint64_t steps;
};

/// Chooses the forces to check, and when: asks the engine for samples, and gives them to the monitor when
/// that is idle. For the stepping thread.
class StepChecks {
 public:
  using Clock = std::chrono::steady_clock;

  /// `scene`: the bodies with which the run begins. `monitor` must outlive it.
  StepChecks(std::shared_ptr<const Scene> scene, Monitor& monitor);

  /// The bodies are other ones.
  void restart();
  /// The next step does not follow the one that is looked at.
  void forget_motion() { motion_ = {}; }
  /// Drifts are counted from the next state on. Returns the number of that baseline.
  std::uint64_t ask_for_baseline();
  /// The next step is checked.
  void hurry() { next_check_ = {}; }

  /// Asks the engine for a sample if one is due. With `owed`, somebody else has asked it for one of all
  /// bodies.
  void ask_if_due(const SteppedRun& run, Clock::time_point now, bool owed);
  /// A sample came. One of all bodies is somebody else's; a part of it is checked if a check is due.
  void take(const SteppedRun& run, ForceSample sample);
  bool has_sample() const { return waiting_sample_.has_value(); }
  /// A slow step's sample is not lost to a check that is under way: it waits, and is sent when it can be.
  void submit(const SteppedRun& run);
  /// A step is complete.
  void end_step(const SteppedRun& run);

 private:
  SampleRequest next_sample(const SteppedRun& run);
  ForceSample checked_part_of(const SteppedRun& run, const ForceSample& sample);
  void submit_check(const SteppedRun& run, ForceSample sample, std::string label);
  bool looks_at_motion(const SteppedRun& run) const;

  std::shared_ptr<const Scene> scene_;
  std::vector<GalaxyRange> galaxies_;
  Monitor& monitor_;
  Clock::time_point next_check_{};
  bool baseline_due_ = true;
  std::uint64_t baseline_ = 0;                 ///< number of baselines so far
  std::optional<ForceSample> waiting_sample_;  ///< until the monitor is idle
  std::string waiting_label_;                  ///< configuration that computed it
  std::uint64_t waiting_revision_ = 0;         ///< revision of the controls that computed it; 0: not known
  std::uint64_t asked_revision_ = 0;  ///< revision of the controls when the last sample was requested
  std::uint64_t checked_revision_ = ~std::uint64_t{0};  ///< when a sample came last
  std::uint64_t seed_ = 0;
  ErrorStrata strata_;              ///< strata of the last check, or of the initial bodies
  StepPair motion_;                 ///< motion over a step; the end is empty until it is made
  std::uint64_t motion_steps_ = 0;  ///< the engine's steps at its begin
};

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
