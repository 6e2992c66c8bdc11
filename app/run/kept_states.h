#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/run/job.h"
#include "app/session/checkpoint.h"
#include "sim/engines/engine.h"
#include "sim/options/configuration.h"
#include "sim/series/series_recorder.h"

namespace orrery::app {

/// The series of states that a run without a window writes (--series), or none.
class RunSeries {
 public:
  /// Writes a first file for a trial. Throws UsageError under mpirun, Error for a folder that cannot be used.
  RunSeries(const sim::SeriesRequest& request, const sim::Scene& scene,
            const sim::Configuration& configuration);

  /// Asks the engine for the forces of the step that comes, if its state is one of the series; true if it
  /// does.
  bool before_step(sim::Engine& engine, std::uint64_t steps);
  /// Takes the forces that the engine sampled.
  void take(const sim::ForceSample& sample);
  /// Takes the state after `steps` steps. Throws Error when a file could not be written.
  void after_step(sim::Engine& engine, std::uint64_t steps);
  /// Announces a new configuration: from now on these options compute.
  void compute_with(const sim::Configuration& configuration);
  /// Waits for the last files.
  void finish();
  /// Prints what was written where, and by whom the forces were computed.
  void report() const;

 private:
  std::string forces_text(const sim::SeriesProgress& progress) const;

  sim::Physics physics_;
  std::string label_;
  std::optional<sim::SeriesRecorder> recorder_;
};

/// The checkpoints that a run without a window goes on from and writes, or none.
class RunCheckpoints {
 public:
  /// `job` must outlive it. Throws sim::UsageError under mpirun, sim::Error for a file that is not replaced.
  RunCheckpoints(const CheckpointRequest& request, RenderJob& job);

  /// Hands the engine, which was just loaded, the state to go on from.
  void restore(sim::Engine& engine);
  /// Writes the state after `step` steps, if one is due. Where that fails the run goes on.
  void after_step(sim::Engine& engine, std::uint64_t step);
  /// Writes the last one.
  void finish(sim::Engine& engine);
  /// Prints where the checkpoint is. Throws sim::Error if the last one could not be written.
  void report() const;

 private:
  void write(sim::Engine& engine);

  RenderJob& job_;
  std::optional<CheckpointSchedule> schedule_;
  std::uint64_t last_step_ = 0;
  std::uint64_t written_ = 0;  ///< the step of the last one
  std::string problem_;        ///< why it could not be written; empty: it was
};

}  // namespace orrery::app
