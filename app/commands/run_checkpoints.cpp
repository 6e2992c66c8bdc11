#include "app/commands/run_checkpoints.h"

#include <fmt/format.h>

#include <utility>

#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/plain_text.h"
#include "sim/ranks/world.h"

namespace orrery::app {

RunCheckpoints::RunCheckpoints(const CheckpointRequest& request, RenderJob& job)
    : job_(job), last_step_(job.state.step) {
  if (request.file.empty() && !request.resume) return;
  if (sim::world().size() > 1)
    throw sim::UsageError(
        "--checkpoint and --resume are for one process; leave them out or start orrery without mpirun");
  if (request.file.empty()) return;
  schedule_.emplace(request, request.resume.value_or(std::filesystem::path()),
                    job.resumed ? job.resumed->engine.steps : 0);
}

void RunCheckpoints::restore(sim::Engine& engine) {
  if (!job_.resumed) return;
  const auto state = std::exchange(job_.resumed->engine, {});
  if (!engine.restore_state(state))
    fmt::print(stderr, "another engine goes on, from positions and velocities: the bits are not the same\n");
  fmt::print(stderr, "goes on from step {}, time {:g}\n", state.steps, state.time);
}

void RunCheckpoints::after_step(sim::Engine& engine, std::uint64_t step) {
  if (!schedule_ || !schedule_->is_due(step)) return;
  const bool was_well = problem_.empty();
  write(engine);
  if (was_well && !problem_.empty()) fmt::print(stderr, "{}; the run goes on\n", problem_);
}

void RunCheckpoints::finish(sim::Engine& engine) {
  if (schedule_ && (schedule_->lacks(engine.status().steps) || !problem_.empty())) write(engine);
}

void RunCheckpoints::write(sim::Engine& engine) {
  const Checkpoint checkpoint{
      .view = job_.state, .last_step = last_step_, .paused = false, .engine = engine.save_state()};
  const bool keeps_previous = schedule_->begin(checkpoint.engine.steps);
  try {
    write_checkpoint(schedule_->file(), checkpoint, keeps_previous);
    written_ = checkpoint.engine.steps;
    problem_.clear();
  } catch (const sim::Error& error) {
    problem_ = error.what();
  }
}

void RunCheckpoints::report() const {
  if (!problem_.empty()) throw sim::Error(problem_);
  if (schedule_)
    fmt::print("checkpoint: {} (step {})\n", sim::one_line(schedule_->file().string()), written_);
}

}  // namespace orrery::app
