#include "app/session/session.h"

#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/options/configuration.h"

// What a run leaves on the disk while it goes on: series of states and checkpoints.
namespace orrery::app {

void Session::start_series(const sim::SeriesRequest& request) {
  if (!has_dataset()) throw sim::Error("a series needs a dataset; open one");
  auto recorder = std::make_shared<sim::SeriesRecorder>(request, dataset_.scene);
  stop_series();
  if (shown_series_) retired_series_.push_back(std::move(shown_series_));
  series_ = shown_series_ = std::move(recorder);
  series_problem_shown_ = false;
  log_info(fmt::format("series: every {} into {}", sim::counted(request.every, "step", "steps"),
                       request.folder.string()));
}

void Session::stop_series() {
  if (!series_) return;
  log_info(fmt::format("the series in {} ends", series_->request().folder.string()));
  series_.reset();
}

/// A file that cannot be written ends the series.
void Session::note_series() {
  std::erase_if(retired_series_, [](const auto& series) { return series->progress().waiting == 0; });
  if (!shown_series_ || series_problem_shown_) return;
  const auto problem = shown_series_->progress().problem;
  if (problem.empty()) return;
  series_problem_shown_ = true;
  log_error(problem);
  stop_series();
}

void Session::keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed) {
  if (!has_dataset() || playback_) throw sim::Error("checkpoints need a simulation; open a dataset");
  // Before the first frame the step is that of the state that it began with.
  const auto step = frame_taken_                        ? frame_.steps
                    : dataset_.state && !replay_target_ ? dataset_.state->step
                                                        : 0;
  checkpoints_.emplace(CheckpointSchedule(request, resumed, step));
}

/// With the options that computed the state, which may have been switched since.
Checkpoint Session::checkpoint_of(sim::KeptState kept) const {
  auto view = view_state();
  for (const auto& option : table_.options()) {
    // "The GPU that draws" is not that number on another machine.
    if (sim::decides_result(option) && option.name != "devices")
      view.configuration.set(option.name, kept.configuration.value(option.name));
  }
  return {.view = std::move(view), .last_step = 0, .paused = paused, .engine = std::move(kept.engine)};
}

std::unique_ptr<Checkpoint> Session::checkpoint() {
  if (!has_dataset() || playback_) return nullptr;
  const auto kept = simulation_->last_state();
  return kept ? std::make_unique<Checkpoint>(checkpoint_of(std::move(*kept))) : nullptr;
}

/// A file that cannot be written ends the checkpoints.
void Session::note_checkpoints() {
  std::unique_ptr<sim::KeptState> kept;
  const bool arrived = simulation_->receive_state(kept);
  if (!checkpoints_) return;
  if (arrived && kept) checkpoints_->write(checkpoint_of(std::move(*kept)));
  auto problem = checkpoints_->take_problem();
  if (arrived && !kept) problem = "no checkpoint could be taken";
  if (!problem.empty()) {
    log_error(problem + "; no more checkpoints are written");
    return checkpoints_.reset();
  }
  if (frame_taken_ && checkpoints_->wants(frame_.steps)) simulation_->ask_for_state();
}

void Session::finish_checkpoints() {
  if (!checkpoints_) return;
  auto last = checkpoint();
  if (!last) return;
  const auto step = last->engine.steps;
  checkpoints_->finish(step, [&] { return std::move(*last); });
}

/// Of a run that is left for another dataset: that may wait for the disk, as loading it did.
void Session::end_checkpoints() try {
  finish_checkpoints();
  checkpoints_.reset();
} catch (const std::exception& error) {
  log_error(error.what());
  checkpoints_.reset();
}

}  // namespace orrery::app
