#include "app/session/open_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/log.h"
#include "app/picture/look.h"
#include "app/picture/picture_style.h"
#include "app/session/dataset_options.h"
#include "lab/setup/paths.h"
#include "lab/setup/starting_options.h"
#include "render/context/gl.h"
#include "render/error.h"
#include "sim/core/error.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/configuration.h"

namespace orrery::app {

namespace {

/// A longer evaluation is not waited for.
constexpr double longest_gap_force_ms = 2.0;
/// With what is queued before it, drawing takes less than this where it has the GPU for itself.
constexpr std::chrono::milliseconds longest_gap{4};

bool plays(const LoadedDataset& dataset) { return dataset.series.size() > 1; }

std::string known_problem(const LoadedDataset& dataset) {
  return dataset.resumed ? dataset.resumed->view.force_problem : std::string();
}

/// A state waits for its steps to be repeated, and a file for a person, who wants to know first what it holds
/// and in which units. Built-in galaxies and films begin at once.
bool starts_paused(const LoadedDataset& dataset) {
  if (plays(dataset)) return false;
  if (dataset.resumed) return dataset.resumed->paused;
  return dataset.state || lab::is_file(dataset.request) || !dataset.scene->has_velocities;
}

}  // namespace

Controls first_controls(const LoadedDataset& dataset, sim::Configuration settings, bool timeline_wanted) {
  Controls controls{.configuration = std::move(settings),
                    .paused = starts_paused(dataset),
                    .timeline_wanted = timeline_wanted};
  if (dataset.state) {
    controls.camera = dataset.state->camera;
    controls.path = dataset.state->path;
    controls.bookmarks = dataset.state->bookmarks;
  } else {
    controls.camera = fitted_camera(dataset.summary);
  }
  return controls;
}

OpenDataset::OpenDataset(const sim::OptionTable& table, LoadedDataset dataset, const Controls& controls,
                         Start start)
    : table_(table),
      dataset_(std::move(dataset)),
      context_(lab::option_context(*dataset_.scene)),
      notes_(std::move(start.notes)),
      drawing_device_(start.drawing_device),
      revision_(start.revision),
      bodies_(dataset_.scene->bodies, dataset_.summary,
              sim::cuda::with_first_device(controls.configuration, drawing_device_), revision_, start.frames),
      guard_(known_problem(dataset_)),
      sent_configuration_(controls.configuration),
      sent_{.paused = controls.paused, .timeline = controls.timeline_wanted} {
  if (plays(dataset_)) playback_ = std::make_unique<Playback>(dataset_);
  start_simulation(controls);
  orbits_.open(*dataset_.scene, dataset_.summary);
  quantities_.open(dataset_.scene);
}

/// Starts the simulation: at a checkpoint, or at the start, from where the steps of a state are repeated.
void OpenDataset::start_simulation(const Controls& controls) {
  const auto resumed = std::exchange(dataset_.resumed, nullptr);
  const auto changed = resumed ? adapt_checkpoint(*resumed, table_, controls.configuration) : std::string();
  simulation_ = std::make_unique<sim::Simulation>(
      table_, dataset_.scene, last_control(), bodies_.host_targets(), resumed ? &resumed->engine : nullptr);
  const bool same_bits = changed.empty() && simulation_->went_on_exactly();
  if (!same_bits) log_warning(changed.empty() ? "another engine goes on from the checkpoint" : changed);
  exact_replay_ = (!dataset_.state || dataset_.state->exact_replay) && same_bits;
  if (resumed || !dataset_.state || dataset_.state->step == 0) return;
  replay_target_ = dataset_.state->step;
  step_once(*replay_target_);
}

sim::Control OpenDataset::last_control() const {
  return {.configuration = sim::cuda::with_first_device(sent_configuration_, drawing_device_),
          .paused = sent_.paused || sent_.held || playback_ != nullptr,
          .speed = sim::read_group<PaceOptions>(sent_configuration_).speed,
          .single_steps = sent_.single_steps,
          .resets = sent_.resets,
          .revision = revision_,
          .device_ring = bodies_.device_targets(),
          .rescue_folder = lab::pictures_folder(),
          .timeline = sent_.timeline,
          .series = sent_.series};
}

void OpenDataset::send(const Controls& controls, const std::shared_ptr<sim::SeriesRecorder>& series) {
  const auto& configuration = controls.configuration;
  // Each frame comes here: the options are compared and not copied.
  Sent wanted{.paused = controls.paused,
              .held = held_,
              .timeline = controls.timeline_wanted,
              .single_steps = single_steps_,
              .resets = resets_,
              .series = series};
  if (wanted == sent_ && configuration == sent_configuration_) return;
  if (!sim::same_effect(table_, configuration, sent_configuration_, sim::decides_result))
    rates_.restart(Clock::now());
  const bool same_bits = sim::same_effect(table_, configuration, sent_configuration_, sim::decides_bits);
  if (frame_.steps > 0 && !same_bits) exact_replay_ = false;
  ++revision_;
  if (DrawnBodies::need_other_ring(table_, configuration, sent_configuration_))
    bodies_.change_ring(sim::cuda::with_first_device(configuration, drawing_device_), revision_);
  sent_configuration_ = configuration;
  sent_ = std::move(wanted);
  simulation_->set_control(last_control());
}

bool OpenDataset::update(Controls& controls, const std::shared_ptr<sim::SeriesRecorder>& series) {
  send(controls, series);
  receive_health(controls.configuration);
  write_due_checkpoint(controls);
  const auto now = Clock::now();
  // A measurement counts steps of the simulation, whatever shows.
  return playback_ && !held_ ? update_playback(controls, now) : update_simulation(controls, now);
}

bool OpenDataset::update_simulation(Controls& controls, Clock::time_point now) {
  rates_.tick(now, !controls.paused || replay_target_.has_value());
  // The slot in hand goes back to the writer: only once nothing draws from it any more.
  const bool moved = simulation_->has_news() && shown().is_idle(bodies_.slot());
  if (moved && bodies_.take_frame(*simulation_, frame_, controls.configuration)) frame_taken_ = true;
  take_orbits(controls);
  const bool recolored = take_quantity(controls);
  if (!moved) return recolored;
  note_frame();
  return true;
}

/// Reports and counts the step that was taken.
void OpenDataset::note_frame() {
  if (frame_.problem != shown_problem_ && !frame_.problem.empty()) log_error(frame_.problem);
  shown_problem_ = frame_.problem;
  log_kernel_problem();
  rates_.add(frame_);
  if (!replay_target_ || frame_.steps < *replay_target_) return;
  replay_target_.reset();
  log_info(fmt::format("back at step {}, time {:.4g}", frame_.steps, frame_.time));
}

/// Time goes on as the clock does, but for breaks: those of a window that was moved, for example.
bool OpenDataset::update_playback(Controls& controls, Clock::time_point now) {
  constexpr double longest = 0.1;
  const double seconds = std::chrono::duration<double>(now - std::exchange(played_at_, now)).count();
  playback_->playing = !controls.paused;
  const bool moved = playback_->update(std::min(seconds, longest));
  if (!playback_->playing && !controls.paused) controls.paused = true;
  if (moved) {
    frame_.time = playback_->time();
    frame_.steps = playback_->nearest();
    frame_taken_ = true;
    take_orbits(controls);
  }
  return take_quantity(controls) || moved;
}

/// Edited device code that does not compile, and later that it does.
void OpenDataset::log_kernel_problem() {
  // While the first kernel is being compiled, and on the CPU, there is nothing to tell.
  if (frame_.report.device.empty() || frame_.report.facts.empty()) return;
  const auto& problem = frame_.report.problem;
  if (problem == shown_kernel_problem_) return;
  if (problem.empty())
    log_info("the edited kernel is compiled and runs");
  else
    log_error(problem + "; the last good kernel runs on");
  shown_kernel_problem_ = problem;
}

void OpenDataset::receive_health(sim::Configuration& configuration) {
  sim::Health health;
  if (!simulation_->receive_health(health)) return;
  guard_.take(std::move(health),
              {.table = table_,
               .context = context_,
               .bodies = dataset_.scene->bodies,
               .step = frame_.steps,
               .interactions = frame_.timings.interactions,
               .revision = revision_,
               .measuring = held_},
              configuration);
}

/// Before the first state is shown there is nothing to follow. The GPU reads the slot: it counts as drawn.
void OpenDataset::take_orbits(Controls& controls) try {
  const ShownState state{frame_.time, frame_.steps, frame_.resets};
  if (frame_taken_ && orbits_.take(controls.look(), shown(), shown_slot(), state))
    shown().mark_drawn(shown_slot());
} catch (const render::Error& error) {
  log_error(error.what());
  controls.configuration.set("trails", std::string("off"));
}

/// Finds the quantity of the colour mode. The range is that of the first picture, until somebody adapts it.
/// True if the picture changes.
bool OpenDataset::take_quantity(Controls& controls) try {
  if (!frame_taken_) return false;
  const auto& mode = color_mode_of(controls.look(), dataset_.summary);
  const bool changed = quantities_.update(mode.source, shown(), shown_slot(), frame_.steps);
  if (const auto range = quantities_.range())
    dataset_.summary.ranges.try_emplace(std::string(mode.name), *range);
  return changed;
} catch (const render::Error& error) {
  log_error(error.what());
  controls.configuration.set("color-mode", std::string("auto"));
  return false;
}

void OpenDataset::adapt_color_range() {
  dataset_.summary.ranges = color_ranges(bodies_in(shown(), shown_slot(), dataset_.scene->bodies));
  quantities_.adapt();
}

void OpenDataset::step_once(std::uint64_t count) {
  if (playback_) return playback_->go_to(std::floor(playback_->place()) + static_cast<double>(count));
  single_steps_ += count;
}

void OpenDataset::hold(bool on) {
  held_ = on;
  held_target_ = frame_.steps;
}

void OpenDataset::advance_held(std::uint64_t steps) {
  single_steps_ += steps;
  held_target_ = frame_.steps + steps;
}

bool OpenDataset::is_up_to_date() const {
  return frame_.revision >= revision_ && held_ == sent_.held && single_steps_ == sent_.single_steps;
}

void OpenDataset::stop_replay() {
  if (!replay_target_) return;
  replay_target_.reset();
  // Steps that were asked for and not done yet are forgotten when the simulation runs once.
  single_steps_ = 0;
}

void OpenDataset::reset() {
  if (playback_) return playback_->go_to(0.0);
  guard_.reset();
  ++resets_;
  exact_replay_ = true;
  replay_target_.reset();
}

void OpenDataset::keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed) {
  // Before the first frame the step is that of the state that it began with.
  const auto step = frame_taken_                        ? frame_.steps
                    : dataset_.state && !replay_target_ ? dataset_.state->step
                                                        : 0;
  checkpoints_.emplace(CheckpointSchedule(request, resumed, step));
}

/// With the options that computed the state, which may have been switched since.
Checkpoint OpenDataset::checkpoint_of(sim::KeptState kept, const Controls& controls) const {
  auto view = view_state(controls);
  for (const auto& option : table_.options()) {
    // "The GPU that draws" is not that number on another machine.
    if (sim::decides_result(option) && option.name != "devices")
      view.configuration.set(option.name, kept.configuration.value(option.name));
  }
  return {
      .view = std::move(view), .last_step = 0, .paused = controls.paused, .engine = std::move(kept.engine)};
}

std::unique_ptr<Checkpoint> OpenDataset::checkpoint(const Controls& controls) {
  if (playback_) return nullptr;
  const auto kept = simulation_->last_state();
  return kept ? std::make_unique<Checkpoint>(checkpoint_of(std::move(*kept), controls)) : nullptr;
}

/// A file that cannot be written ends the checkpoints.
void OpenDataset::write_due_checkpoint(const Controls& controls) {
  std::unique_ptr<sim::KeptState> kept;
  const bool arrived = simulation_->receive_state(kept);
  if (!checkpoints_) return;
  if (arrived && kept) checkpoints_->write(checkpoint_of(std::move(*kept), controls));
  auto problem = checkpoints_->take_problem();
  if (arrived && !kept) problem = "no checkpoint could be taken";
  if (!problem.empty()) {
    log_error(problem + "; no more checkpoints are written");
    return checkpoints_.reset();
  }
  if (frame_taken_ && checkpoints_->wants(frame_.steps)) simulation_->ask_for_state();
}

void OpenDataset::finish_checkpoints(const Controls& controls) {
  if (!checkpoints_) return;
  auto last = checkpoint(controls);
  if (!last) return;
  const auto step = last->engine.steps;
  checkpoints_->finish(step, [&] { return std::move(*last); });
}

/// It may wait for the disk, as loading the next dataset did.
void OpenDataset::end_checkpoints(const Controls& controls) try {
  finish_checkpoints(controls);
  checkpoints_.reset();
} catch (const std::exception& error) {
  log_error(error.what());
  checkpoints_.reset();
}

PictureInput OpenDataset::picture(const Controls& controls, double shift) const {
  PictureInput input{shown(),          shown_slot(), controls.camera, controls.look(),
                     dataset_.summary, shift,        false,           &orbits_};
  if (bodies_.map() == nullptr) return input;
  input.map = {.buffers = bodies_.map(),
               .slot = frame_.on_device ? bodies_.slot() : 0,
               .revision = bodies_.frames(),
               .place = map_place(frame_.map, dataset_.summary),
               .over = controls.look().has_map_over_bodies()};
  return input;
}

LegendInfo OpenDataset::legend() const {
  LegendInfo info{.title = dataset_.scene->title,
                  .time = frame_.time,
                  .steps = frame_.steps,
                  .units = dataset_.scene->units,
                  .snapshot = playback_ ? playback_->nearest() + 1 : 0,
                  .problem = playback_ ? std::string() : guard_.problem()};
  if (bodies_.map() != nullptr) info.map_largest = bodies_.map()->largest();
  return info;
}

ViewState OpenDataset::view_state(const Controls& controls) const {
  // Of a series: the snapshot that shows, as a start.
  auto request = dataset_.request;
  if (playback_) request.snapshot = playback_->nearest();
  return {.dataset = std::move(request),
          .dataset_hash = playback_ ? std::string() : dataset_.hash,
          .time = frame_.time,
          .step = playback_ ? 0 : frame_.steps,
          .exact_replay = exact_replay_,
          .camera = controls.camera,
          .configuration = controls.configuration,
          .path = controls.path,
          .bookmarks = controls.bookmarks,
          .force_problem = playback_ ? std::string() : guard_.problem()};
}

/// True if steps are so short that the GPU is soon free to draw.
bool OpenDataset::leaves_gaps() const {
  const double force_ms = frame_.timings.force_ms;
  return bodies_.in_place() && force_ms > 0.0 && force_ms < longest_gap_force_ms;
}

void OpenDataset::begin_drawing() {
  drawing_in_gap_ = leaves_gaps();
  if (drawing_in_gap_) simulation_->give_way(2 * longest_gap);
}

void OpenDataset::end_drawing() {
  if (!std::exchange(drawing_in_gap_, false)) return;
  render::wait_until_drawn(longest_gap);
  simulation_->go_on();
}

}  // namespace orrery::app
