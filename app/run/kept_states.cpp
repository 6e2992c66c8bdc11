#include "app/run/kept_states.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <utility>
#include <vector>

#include "lab/setup/progress_line.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"

namespace orrery::app {

RunSeries::RunSeries(const sim::SeriesRequest& request, const sim::Scene& scene,
                     const sim::Configuration& configuration)
    : physics_(sim::physics_of(configuration)) {
  compute_with(configuration);
  if (request.folder.empty()) return;
  if (sim::world().size() > 1)
    throw sim::UsageError("--series is for one process; leave it out or start orrery without mpirun");
  recorder_.emplace(request, std::make_shared<const sim::Scene>(scene));
  recorder_->try_first_file();
}

void RunSeries::compute_with(const sim::Configuration& configuration) {
  label_ = fmt::format("{}, {}", sim::engine_name(configuration), sim::computing_name(configuration));
}

bool RunSeries::before_step(sim::Engine& engine, std::uint64_t steps) {
  return recorder_ && recorder_->before_step(engine, steps, physics_);
}

void RunSeries::take(const sim::ForceSample& sample) {
  if (recorder_) recorder_->take(sample);
}

void RunSeries::after_step(sim::Engine& engine, std::uint64_t steps) {
  if (!recorder_) return;
  recorder_->after_step(engine, steps, physics_, label_);
  // More steps would be in vain.
  if (const auto problem = recorder_->progress().problem; !problem.empty()) throw sim::Error(problem);
}

void RunSeries::finish() {
  if (!recorder_) return;
  lab::ProgressLine line("render");
  line.show("writing the last files of the series", 1.0);
  recorder_->flush();
}

void RunSeries::report() const {
  if (!recorder_) return;
  const auto progress = recorder_->progress();
  fmt::print("series: {} in {}, {}{}\n", sim::counted(progress.files, "state", "states"),
             sim::one_line(recorder_->request().folder.string()), forces_text(progress),
             progress.slower ? "; steps waited for the disk" : "");
}

std::string RunSeries::forces_text(const sim::SeriesProgress& progress) const {
  std::vector<std::string> parts;
  if (progress.by_engine > 0) parts.push_back(fmt::format("{} by {}", progress.by_engine, label_));
  if (progress.by_processor > 0)
    parts.push_back(fmt::format("{} by the CPU in double precision", progress.by_processor));
  if (parts.empty()) return "without forces";
  return fmt::format("forces: {}", fmt::join(parts, ", "));
}

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
