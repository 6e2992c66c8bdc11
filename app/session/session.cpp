#include "app/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/log.h"
#include "app/picture/light_options.h"
#include "lab/setup/many_bodies.h"
#include "lab/setup/paths.h"
#include "lab/setup/starting_options.h"
#include "render/error.h"
#include "render/gl.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/options/configuration.h"

namespace orrery::app {

namespace {

/// A longer evaluation is not waited for.
constexpr double longest_gap_force_ms = 2.0;
/// With what is queued before it, drawing takes less than this where it has the GPU for itself.
constexpr std::chrono::milliseconds longest_gap{4};

sim::TargetRing ring_of(const render::BodyBuffers& buffers) {
  sim::TargetRing ring;
  for (int slot = 0; slot < buffers.slots(); ++slot) {
    ring.at(static_cast<std::size_t>(slot)) = {.position = buffers.mapped_position(slot),
                                               .velocity = buffers.mapped_velocity(slot),
                                               .bodies = buffers.bodies()};
  }
  return ring;
}

std::unique_ptr<render::BodyBuffers> buffers_for(const sim::Bodies& bodies) {
  auto buffers =
      std::make_unique<render::BodyBuffers>(bodies.size(), render::BodyBuffers::Storage::host_ring);
  set_static(*buffers, bodies);
  return buffers;
}

/// True if the bodies that are drawn come from elsewhere.
bool other_buffers(const sim::OptionTable& table, const sim::Configuration& a, const sim::Configuration& b) {
  const auto decides_buffers = [](const sim::Option& option) {
    return option.name == "engine" || option.name == "device" || option.name == "interop" ||
           option.name == "map-size";
  };
  return !sim::same_effect(table, a, b, decides_buffers);
}

/// The galaxy that was singled out in the dataset before may not be there in the next one.
void forget_missing_galaxy(sim::Configuration& settings, const sim::OptionContext& context) {
  if (settings.integer("highlight-galaxy") >= static_cast<std::int64_t>(context.galaxies))
    settings.set("highlight-galaxy", std::int64_t{-1});
}

}  // namespace

Session::Session(const sim::OptionTable& table, std::vector<std::string> assignments)
    : configuration(table.defaults()),
      table_(table),
      assignments_(std::move(assignments)),
      drawing_device_(drawing_device()) {}

void Session::open(LoadedDataset dataset) {
  auto settings = configuration;
  if (dataset.state) {
    settings = dataset.state->configuration;
  } else {
    lab::apply_scene(settings, *dataset.scene, assignments_);
  }
  const auto context = lab::option_context(*dataset.scene);
  // At the start only: later the person may have switched options.
  if (!dataset.state && openings_ == 0 && !lab::has_too_many_pairs(settings, *dataset.scene))
    start_tuned(settings, context);
  forget_missing_galaxy(settings, context);
  lab::apply_assignments(table_, settings, assignments_);
  suit_number_of_bodies(settings, dataset);
  // What the command line says of the first dataset need not fit the next one.
  if (openings_ > 0) forget_missing_galaxy(settings, context);
  table_.check(settings, context);

  // Everything that can fail comes before anything is replaced.
  auto buffers = buffers_for(dataset.scene->bodies);
  auto interop = make_interop(settings, dataset.scene->bodies);
  const bool start_paused = !dataset.scene->has_velocities;
  std::unique_ptr<Playback> playback;
  if (dataset.series.size() > 1)
    playback = std::make_unique<Playback>(dataset.series, dataset.scene, dataset.request.format);
  const auto resumed = std::move(dataset.resumed);
  const auto changed = resumed ? adapt_checkpoint(*resumed, table_, settings) : std::string();
  const auto replay = dataset.state && !resumed ? std::optional(dataset.state->step) : std::nullopt;
  sim::Control start{.configuration = for_engine(settings),
                     .paused = resumed ? resumed->paused : replay || start_paused || playback,
                     .speed = settings.real("speed"),
                     .single_steps = 0,
                     .resets = 0,
                     .revision = revision_,
                     .device_ring = interop ? &interop->targets() : nullptr,
                     .rescue_folder = lab::pictures_folder(),
                     .timeline = timeline_wanted};
  auto simulation = std::make_unique<sim::Simulation>(table_, dataset.scene, start, ring_of(*buffers),
                                                      resumed ? &resumed->engine : nullptr);

  stop_series();
  end_checkpoints();
  sent_series_.reset();
  simulation_ = std::move(simulation);
  playback_ = std::move(playback);
  played_at_ = {};
  buffers_ = std::move(buffers);
  interop_ = std::move(interop);
  retired_.clear();
  shown_interop_ = nullptr;
  shown_map_ = nullptr;
  dataset_ = std::move(dataset);
  context_ = context;
  configuration = sent_configuration_ = std::move(settings);
  camera = dataset_.state ? dataset_.state->camera : fitted_camera(dataset_.summary);
  path = dataset_.state ? dataset_.state->path : render::CameraPath();
  bookmarks = dataset_.state ? dataset_.state->bookmarks : Bookmarks{};
  held_ = sent_held_ = false;
  paused = sent_paused_ = playback_ ? false : start.paused;
  sent_timeline_wanted_ = timeline_wanted;
  single_steps_ = sent_single_steps_ = resets_ = sent_resets_ = 0;
  ++openings_;
  slot_ = 0;
  frame_ = {};
  orbits_.open(*dataset_.scene, dataset_.summary);
  quantities_.open(dataset_.scene);
  frame_taken_ = false;
  health_.reset();
  rates_ = {};
  const bool same_bits = changed.empty() && simulation_->went_on_exactly();
  if (!same_bits) log_warning(changed.empty() ? "another engine goes on from the checkpoint" : changed);
  exact_replay_ = (!dataset_.state || dataset_.state->exact_replay) && same_bits;
  replay_target_.reset();
  if (replay && *replay > 0) {
    replay_target_ = replay;
    step_once(*replay);
  }
}

/// "device=-1" is the GPU that draws.
sim::Configuration Session::for_engine(const sim::Configuration& settings) const {
  auto resolved = settings;
  if (settings.integer("device") < 0) resolved.set("device", std::int64_t{drawing_device_});
  return resolved;
}

/// Null where the bodies have to be copied: drawn_how_ then says why.
Session::Interop Session::make_interop(const sim::Configuration& settings, const sim::Bodies& bodies) {
  drawn_how_.clear();
  if (settings.choice("engine") != "cuda") return nullptr;
  std::string why_copied;
  auto interop =
      app::make_interop(for_engine(settings), bodies, render::BodyBuffers::Storage::device_ring, why_copied);
  drawn_how_ = interop ? "drawn in place: the GPU writes the bodies where they are drawn"
                       : "bodies are copied through main memory: " + why_copied;
  log_info(drawn_how_);
  return interop;
}

sim::Control Session::control() const {
  return {.configuration = for_engine(configuration),
          .paused = paused || held_ || playback_ != nullptr,
          .speed = configuration.real("speed"),
          .single_steps = single_steps_,
          .resets = resets_,
          .revision = revision_,
          .device_ring = interop_ ? &interop_->targets() : nullptr,
          .rescue_folder = lab::pictures_folder(),
          .timeline = timeline_wanted,
          .series = series_};
}

void Session::start_tuned(sim::Configuration& settings, const sim::OptionContext& context) {
  const auto line = lab::apply_tuned(table_, settings, tuned_, context, assignments_);
  if (!line.empty()) log_info(line);
}

/// Many bodies start with a kernel that does not sum every pair; few ones after them go back.
void Session::suit_number_of_bodies(sim::Configuration& settings, const LoadedDataset& dataset) {
  if (dataset.state) chose_kernel_ = false;
  if (dataset.state || kernel_by_hand_) return;
  if (chose_kernel_ && !lab::has_too_many_pairs(settings, *dataset.scene)) {
    for (const char* option : {"kernel", "family"}) settings.set(option, table_.defaults().choice(option));
  }
  chose_kernel_ = false;
  const auto line = lab::choose_kernel_for_many(table_, settings, *dataset.scene, assignments_);
  if (line.empty()) return;
  chose_kernel_ = true;
  log_info(line);
}

void Session::send_control() {
  const bool changed = configuration != sent_configuration_ || paused != sent_paused_ ||
                       held_ != sent_held_ || single_steps_ != sent_single_steps_ ||
                       resets_ != sent_resets_ || timeline_wanted != sent_timeline_wanted_ ||
                       series_ != sent_series_;
  if (!changed) return;
  if (!computes_like(sent_configuration_)) rates_.restart(lab::RateMeter::Clock::now());
  const bool same_bits = sim::same_effect(table_, configuration, sent_configuration_, sim::decides_bits);
  if (frame_.steps > 0 && !same_bits) exact_replay_ = false;
  ++revision_;
  if (other_buffers(table_, configuration, sent_configuration_)) {
    if (interop_) retired_.push_back(std::move(interop_));
    interop_ = make_interop(configuration, dataset_.scene->bodies);
    ring_revision_ = revision_;
  }
  simulation_->set_control(control());
  sent_configuration_ = configuration;
  sent_paused_ = paused;
  sent_held_ = held_;
  sent_timeline_wanted_ = timeline_wanted;
  sent_series_ = series_;
  sent_single_steps_ = single_steps_;
  sent_resets_ = resets_;
}

bool Session::update() {
  if (!has_dataset()) return false;
  send_control();
  note_health();
  note_series();
  note_checkpoints();
  const auto now = lab::RateMeter::Clock::now();
  processor_wait_.update(now);
  // A measurement counts steps of the simulation, whatever shows.
  if (playback_ && !held_) return update_playback(now);
  rates_.tick(now, !paused || replay_target_.has_value());
  // The slot in hand goes back to the writer: only once nothing draws from it any more.
  if (!simulation_->has_news() || !shown().is_idle(slot_)) {
    take_orbits();
    return take_quantity();
  }
  take_frame();
  take_orbits();
  take_quantity();
  if (frame_.problem != shown_problem_ && !frame_.problem.empty()) log_error(frame_.problem);
  shown_problem_ = frame_.problem;
  log_kernel_problem();
  rates_.add(frame_);
  if (replay_target_ && frame_.steps >= *replay_target_) {
    replay_target_.reset();
    log_info(fmt::format("back at step {}, time {:.4g}", frame_.steps, frame_.time));
  }
  return true;
}

/// Time goes on as the clock does, but for breaks: those of a window that was moved, for example.
bool Session::update_playback(lab::RateMeter::Clock::time_point now) {
  constexpr double longest = 0.1;
  const double seconds = std::chrono::duration<double>(now - std::exchange(played_at_, now)).count();
  playback_->playing = !paused;
  const bool moved = playback_->update(std::min(seconds, longest));
  if (!playback_->playing && !paused) paused = true;
  if (moved) {
    frame_.time = playback_->time();
    frame_.steps = playback_->nearest();
    frame_taken_ = true;
    take_orbits();
  }
  return take_quantity() || moved;
}

render::BodyBuffers& Session::shown() {
  if (playback_) return playback_->buffers();
  return shown_interop_ != nullptr ? shown_interop_->buffers() : *buffers_;
}

const render::BodyBuffers& Session::shown() const {
  if (playback_) return playback_->buffers();
  return shown_interop_ != nullptr ? shown_interop_->buffers() : *buffers_;
}

/// The slot in hand goes back, CUDA's again in every ring, and the new one becomes OpenGL's.
void Session::take_frame() try {
  to_cuda(slot_);
  slot_ = simulation_->take_frame(frame_);
  ++frames_taken_;
  const auto* current = interop_ ? &interop_->targets() : nullptr;
  shown_interop_ = nullptr;
  if (frame_.on_device) {
    auto* ring = frame_.device_ring == current ? interop_.get() : nullptr;
    for (const auto& retired : retired_) {
      if (frame_.device_ring == &retired->targets()) ring = retired.get();
    }
    if (ring == nullptr) throw sim::Error("a state arrived in vertex buffers that are gone");
    ring->to_opengl(slot_);
    if (!ring->lost()) shown_interop_ = ring;
  }
  frame_taken_ = true;
  note_map();
  // From this frame on the simulation uses the newest ring only.
  if (frame_.revision >= ring_revision_ && frame_.device_ring == current) retired_.clear();
} catch (const sim::Error& error) {
  // A lost GPU, most likely: what the simulation publishes through the host is shown from now on.
  log_error(error.what());
  shown_interop_ = nullptr;
  shown_map_ = nullptr;
  configuration.set("interop", false);
}

/// Before the first state is shown there is nothing to follow. The GPU reads the slot: it counts as drawn.
void Session::take_orbits() try {
  const ShownState state{frame_.time, frame_.steps, frame_.resets};
  if (frame_taken_ && orbits_.take(configuration, shown(), shown_slot(), state)) mark_drawn();
} catch (const render::Error& error) {
  log_error(error.what());
  configuration.set("trails", std::string("off"));
}

/// What the colour mode shows besides the state. A range that is found here is that of its first moment,
/// until somebody adapts it. True if the picture changes.
bool Session::take_quantity() try {
  if (!frame_taken_) return false;
  const auto& mode = color_mode_of(configuration, summary());
  const bool changed = quantities_.update(mode.source, shown(), shown_slot(), frame_.steps);
  if (const auto range = quantities_.range())
    dataset_.summary.ranges.try_emplace(std::string(mode.name), *range);
  return changed;
} catch (const render::Error& error) {
  log_error(error.what());
  configuration.set("color-mode", std::string("auto"));
  return false;
}

/// Where the map of the new frame is; one that came through main memory is copied to the GPU.
void Session::note_map() {
  shown_map_ = nullptr;
  const auto size = frame_.map.size;
  if (size == 0) return;
  if (frame_.on_device) {
    if (shown_interop_ != nullptr) shown_map_ = shown_interop_->maps();
    if (shown_map_ != nullptr) shown_map_->ask_largest(slot_);
    return;
  }
  try {
    if (host_map_ == nullptr || host_map_->size() != size)
      host_map_ = std::make_unique<render::MapBuffers>(size, 1);
    host_map_->upload(0, {frame_.host_map, host_map_->floats()});
    shown_map_ = host_map_.get();
  } catch (const render::Error& error) {
    log_error(error.what());
    host_map_.reset();
    configuration.set("map-size", std::int64_t{0});
  }
}

void Session::to_cuda(int slot) {
  if (interop_) interop_->to_cuda(slot);
  for (const auto& retired : retired_) retired->to_cuda(slot);
}

/// Edited device code that does not compile, and later that it does.
void Session::log_kernel_problem() {
  // While the first kernel is being compiled, and on the processor, there is nothing to tell.
  if (frame_.report.device.empty() || frame_.report.facts.empty()) return;
  const auto& problem = frame_.report.problem;
  if (problem == shown_kernel_problem_) return;
  if (problem.empty())
    log_info("the edited kernel is compiled and runs");
  else
    log_error(problem + "; the last good kernel runs on");
  shown_kernel_problem_ = problem;
}

void Session::note_health() {
  sim::Health news;
  if (simulation_->receive_health(news)) health_ = std::move(news);
}

void Session::step_once(std::uint64_t count) {
  paused = true;
  if (playback_) return playback_->go_to(std::floor(playback_->place()) + static_cast<double>(count));
  single_steps_ += count;
}

void Session::hold(bool on) {
  held_ = on;
  held_target_ = frame_.steps;
}

void Session::advance_held(std::uint64_t steps) {
  single_steps_ += steps;
  held_target_ = frame_.steps + steps;
}

bool Session::is_up_to_date() const {
  return frame_.revision >= revision_ && held_ == sent_held_ && single_steps_ == sent_single_steps_;
}

void Session::stop_replay() {
  if (!replay_target_) return;
  replay_target_.reset();
  // Steps that were asked for and not done yet are forgotten when the simulation runs once.
  single_steps_ = 0;
}

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
    if (sim::decides_result(option) && option.name != "device")
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

void Session::reset() {
  if (playback_) return playback_->go_to(0.0);
  stop_series();
  ++resets_;
  exact_replay_ = true;
  replay_target_.reset();
}

void Session::adapt_color_range() {
  if (!has_dataset()) return;
  dataset_.summary.ranges = color_ranges(bodies_in(shown(), shown_slot(), scene().bodies));
  quantities_.adapt();
}

SceneSummary Session::summary_now() const {
  return moved_summary(summary(), bodies_in(shown(), shown_slot(), scene().bodies));
}

sim::OptionValue Session::default_of(const sim::Option& option) const {
  auto defaults = table_.defaults();
  if (has_dataset()) lab::apply_scene(defaults, scene());
  return defaults.value(option.name);
}

bool Session::set_option(const sim::Option& option, const sim::OptionValue& value) {
  const auto reason = table_.refusal(option, value, configuration, context_);
  if (!reason.empty()) {
    log_warning(fmt::format("{}={}: {}", option.name, sim::to_string(value), reason));
    return false;
  }
  configuration.set(option.name, value);
  kernel_by_hand_ = kernel_by_hand_ || option.name == "kernel" || option.name == "family";
  if (option.name == "look")
    for (const auto& [name, set] : look_settings(configuration.choice("look"))) configuration.set(name, set);
  return true;
}

std::string Session::set_computing(const sim::Configuration& wanted) {
  auto settings = configuration;
  for (const auto& option : table_.options()) {
    if (sim::decides_result(option)) settings.set(option.name, wanted.value(option.name));
  }
  settings.set("speed", wanted.value("speed"));
  auto reason = sim::refusal_of(table_, settings, context_);
  if (reason.empty()) configuration = std::move(settings);
  return reason;
}

bool Session::computes_like(const sim::Configuration& other) const {
  return sim::same_effect(table_, configuration, other, sim::decides_result);
}

PictureInput Session::picture(double shift) const {
  PictureInput input{shown(), shown_slot(), camera, configuration, dataset_.summary, shift, false, &orbits_};
  if (shown_map_ == nullptr) return input;
  input.map = {.buffers = shown_map_,
               .slot = frame_.on_device ? slot_ : 0,
               .revision = frames_taken_,
               .place = map_place(frame_.map, dataset_.summary),
               .over = configuration.choice("map-view") == "over"};
  return input;
}

LegendInfo Session::legend() const {
  LegendInfo info{.title = dataset_.scene->title,
                  .time = frame_.time,
                  .steps = frame_.steps,
                  .units = dataset_.scene->units,
                  .snapshot = playback_ ? playback_->nearest() + 1 : 0};
  if (shown_map_ != nullptr) info.map_largest = shown_map_->largest();
  return info;
}

ViewState Session::view_state() const {
  // Of a series: the snapshot that shows, as a start.
  auto request = dataset_.request;
  if (playback_) request.snapshot = playback_->nearest();
  return {.dataset = std::move(request),
          .dataset_hash = playback_ ? std::string() : dataset_.hash,
          .time = frame_.time,
          .step = playback_ ? 0 : frame_.steps,
          .exact_replay = exact_replay_,
          .camera = camera,
          .configuration = configuration,
          .path = path,
          .bookmarks = bookmarks};
}

void Session::mark_drawn() { shown().mark_drawn(shown_slot()); }

/// True if steps are so short that the GPU is soon free to draw.
bool Session::leaves_gaps() const {
  const double force_ms = frame_.timings.force_ms;
  return has_dataset() && shown_interop_ != nullptr && force_ms > 0.0 && force_ms < longest_gap_force_ms;
}

void Session::begin_drawing() {
  drawing_in_gap_ = leaves_gaps();
  if (drawing_in_gap_) simulation_->give_way(2 * longest_gap);
}

void Session::end_drawing() {
  if (!std::exchange(drawing_in_gap_, false)) return;
  render::wait_until_drawn(longest_gap);
  simulation_->go_on();
}

std::optional<glm::dvec3> Session::pick(glm::dvec2 cursor, double aspect) const {
  if (!has_dataset()) return std::nullopt;
  const auto position = shown().read_position(shown_slot());
  return middle_under({position, scene().bodies.galaxy, summary(), camera, aspect}, cursor);
}

const GalaxyFacts* Session::singled_out() const {
  if (!has_dataset() || summary().galaxies < 2) return nullptr;
  return summary().find_galaxy(configuration.integer("highlight-galaxy"));
}

void Session::single_out(std::int64_t number) {
  const auto& option = table_.at("highlight-galaxy");
  if (static_cast<double>(number) <= option.maximum)
    set_option(option, number);
  else
    log_warning(fmt::format("galaxies above number {:.0f} cannot be singled out", option.maximum));
}

void Session::single_out_under(glm::dvec2 cursor, double aspect) {
  if (!has_dataset() || summary().galaxies < 2) return;
  const auto position = shown().read_position(shown_slot());
  const auto galaxy = galaxy_under({position, scene().bodies.galaxy, summary(), camera, aspect}, cursor);
  single_out(galaxy ? std::int64_t{*galaxy} : -1);
}

void Session::single_out_next(int direction) {
  if (!has_dataset() || summary().galaxies < 2) return;
  const auto& all = summary().each_galaxy;
  const auto count = static_cast<std::ptrdiff_t>(all.size());
  const auto* now = singled_out();
  const auto start = now != nullptr ? now - all.data() : std::ptrdiff_t{direction > 0 ? -1 : 0};
  const auto next = ((start + direction) % count + count) % count;
  single_out(all[static_cast<std::size_t>(next)].number);
}

bool Session::show_all_galaxies() {
  if (singled_out() == nullptr) return false;
  single_out(-1);
  return true;
}

std::optional<GalaxyExtent> Session::singled_out_extent() const {
  const auto* galaxy = singled_out();
  if (galaxy == nullptr) return std::nullopt;
  const auto position = shown().read_position(shown_slot());
  return extent_of({position, scene().bodies.galaxy, summary(), camera}, galaxy->number);
}

}  // namespace orrery::app
