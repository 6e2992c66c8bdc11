#include "app/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/log.h"
#include "app/picture/light_options.h"
#include "app/picture/picture_options.h"
#include "lab/setup/paths.h"
#include "lab/setup/starting_options.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/configuration.h"
#include "sim/options/engine_option.h"
#include "sim/simulation/error_watch.h"

namespace orrery::app {

namespace {

/// True if the bodies that are drawn come from elsewhere.
bool other_buffers(const sim::OptionTable& table, const sim::Configuration& a, const sim::Configuration& b) {
  const auto decides_buffers = [](const sim::Option& option) {
    return option.name == "engine" || option.name == "interop" || option.name == "map-size";
  };
  const bool other_gpu = sim::is_on_gpu(a) && sim::cuda::named_device(a) != sim::cuda::named_device(b);
  return other_gpu || !sim::same_effect(table, a, b, decides_buffers);
}

}  // namespace

Session::Session(const sim::OptionTable& table, std::vector<std::string> assignments)
    : configuration(table.defaults()),
      table_(table),
      assignments_(std::move(assignments)),
      drawing_device_(drawing_device()) {}

/// Where the devices are left to the program, the GPU that draws is the first.
sim::Configuration Session::for_engine(const sim::Configuration& settings) const {
  return sim::cuda::with_first_device(settings, drawing_device_);
}

sim::Control Session::control() const {
  return {.configuration = for_engine(configuration),
          .paused = paused || held_ || playback_ != nullptr,
          .speed = picture_options(configuration).speed,
          .single_steps = single_steps_,
          .resets = resets_,
          .revision = revision_,
          .device_ring = interop_ ? &interop_->targets() : nullptr,
          .rescue_folder = lab::pictures_folder(),
          .timeline = timeline_wanted,
          .series = series_};
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
    interop_ = make_interop(configuration, dataset_);
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
  if (!simulation_->receive_health(news)) return;
  health_ = std::move(news);
  if (health_->problem != shown_shortfall_ && !health_->problem.empty()) log_error(health_->problem);
  shown_shortfall_ = health_->problem;
  guard_forces();
}

/// The state of another run, whose `problem` is known already.
void Session::begin_guarding(std::string problem) {
  force_problem_ = std::move(problem);
  shown_shortfall_.clear();
  guarded_revision_ = ~std::uint64_t{0};
  left_.clear();
}

/// Forces beyond what their kernel states are told once for each change of the options.
void Session::guard_forces() {
  if (health_->revision == 0 || health_->revision != revision_ || guarded_revision_ == revision_) return;
  const auto problem = sim::statement_problem(health_->force_error, configuration);
  if (problem.empty()) return;
  guarded_revision_ = revision_;
  const auto line = fmt::format("step {}: {}", frame_.steps, problem);
  if (force_problem_.empty()) force_problem_ = line;
  if (!compute_more_safely(line)) log_error(line);
}

/// Goes to a safer configuration, unless a measurement sets the options, or the person came back to one that
/// was left for this reason.
bool Session::compute_more_safely(const std::string& problem) {
  const auto same = [this](const sim::Configuration& other) { return computes_like(other); };
  if (held_ || std::ranges::any_of(left_, same)) return false;
  const auto before = configuration;
  for (const auto& safer : sim::safer_configurations(table_, before, scene().bodies)) {
    if (std::ranges::any_of(left_, [&](const auto& other) { return other == safer; })) continue;
    if (!set_computing(safer).empty()) continue;
    left_.push_back(before);
    log_warning(fmt::format("{}; now {}", problem, sim::differences(table_, before, configuration)));
    return true;
  }
  return false;
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

void Session::reset() {
  if (playback_) return playback_->go_to(0.0);
  stop_series();
  force_problem_.clear();
  guarded_revision_ = ~std::uint64_t{0};
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
  kernel_by_hand_ = kernel_by_hand_ || option.name == "kernel" || option.name == "family" ||
                    option.name == "precision" || option.name == "state-precision" ||
                    option.name == "threads";
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
               .over = picture_options(configuration).has_map_over_bodies()};
  return input;
}

LegendInfo Session::legend() const {
  LegendInfo info{.title = dataset_.scene->title,
                  .time = frame_.time,
                  .steps = frame_.steps,
                  .units = dataset_.scene->units,
                  .snapshot = playback_ ? playback_->nearest() + 1 : 0,
                  .problem = playback_ ? std::string() : force_problem_};
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
          .bookmarks = bookmarks,
          .force_problem = playback_ ? std::string() : force_problem_};
}

}  // namespace orrery::app
