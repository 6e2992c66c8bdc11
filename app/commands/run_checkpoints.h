#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/commands/render_job.h"
#include "app/session/checkpoint.h"
#include "sim/engines/engine.h"

namespace orrery::app {

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
