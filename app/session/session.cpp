#include "app/session/session.h"

#include <fmt/format.h>

#include <utility>

#include "app/log.h"
#include "app/picture/look_settings.h"
#include "lab/setup/starting_options.h"
#include "sim/core/counted.h"
#include "sim/core/error.h"
#include "sim/options/configuration.h"

namespace orrery::app {

void SeriesRecording::start(const sim::SeriesRequest& request, std::shared_ptr<const sim::Scene> scene) {
  auto recorder = std::make_shared<sim::SeriesRecorder>(request, std::move(scene));
  stop();
  if (shown_) retired_.push_back(std::move(shown_));
  series_ = shown_ = std::move(recorder);
  problem_shown_ = false;
  log_info(fmt::format("series: every {} into {}", sim::counted(request.every, "step", "steps"),
                       request.folder.string()));
}

void SeriesRecording::stop() {
  if (!series_) return;
  log_info(fmt::format("the series in {} ends", series_->request().folder.string()));
  series_.reset();
}

void SeriesRecording::update() {
  std::erase_if(retired_, [](const auto& series) { return series->progress().waiting == 0; });
  if (!shown_ || problem_shown_) return;
  const auto problem = shown_->progress().problem;
  if (problem.empty()) return;
  problem_shown_ = true;
  log_error(problem);
  stop();
}

Session::Session(const sim::OptionTable& table, std::vector<std::string> assignments)
    : Controls{.configuration = table.defaults()},
      table_(table),
      options_(table, std::move(assignments)),
      drawing_device_(drawing_device()) {}

void Session::open(LoadedDataset dataset, std::optional<bool> held) {
  auto settings = options_.options_for(dataset, configuration, openings_ == 0);
  OpenDataset::Start start{.notes = options_.notes_on(dataset, settings), .drawing_device = drawing_device_};
  if (open_) {
    start.revision = open_->revision();
    start.frames = open_->frames();
  }
  auto controls = first_controls(dataset, std::move(settings), timeline_wanted);
  controls.paused = held.value_or(controls.paused);
  // Everything that can fail comes before anything is replaced.
  auto next = std::make_unique<OpenDataset>(table_, std::move(dataset), controls, std::move(start));
  series_.stop();
  if (open_) open_->end_checkpoints(*this);
  open_ = std::move(next);
  static_cast<Controls&>(*this) = std::move(controls);
  ++openings_;
}

bool Session::update() {
  if (!open_) return false;
  series_.update();
  processor_wait_.update(lab::ProcessorWait::Clock::now());
  return open_->update(*this, series_.under_way());
}

void Session::step_once(std::uint64_t count) {
  paused = true;
  if (open_) open_->step_once(count);
}

void Session::reset() {
  if (!open_) return;
  if (playback() == nullptr) series_.stop();
  open_->reset();
}

SceneSummary Session::summary_now() const {
  return moved_summary(summary(), bodies_in(open_->shown(), open_->shown_slot(), scene().bodies));
}

std::vector<glm::dvec3> Session::luminous_now() const {
  const auto& all = scene().bodies;
  const auto& light = summary().luminous;
  std::vector<glm::dvec3> places;
  for (const auto& run : luminous_runs(all, light)) {
    const auto add = [&](std::size_t k, float x, float y, float z) {
      if (gives_light(all, light, run.first + k)) places.emplace_back(x, y, z);
    };
    // Until the first state arrives there is nothing in the buffers.
    if (!open_->has_frame()) {
      for (std::size_t k = 0; k < run.count; ++k) {
        const auto& place = all.position[run.first + k];
        add(k, place.x, place.y, place.z);
      }
      continue;
    }
    const auto read = open_->shown().read_position(open_->shown_slot(), run.first, run.count);
    for (std::size_t k = 0; 4 * k + 3 < read.size(); ++k)
      add(k, read[4 * k], read[4 * k + 1], read[4 * k + 2]);
  }
  return places;
}

sim::OptionValue Session::default_of(const sim::Option& option) const {
  auto defaults = table_.defaults();
  if (has_dataset()) lab::apply_scene(defaults, scene());
  return defaults.value(option.name);
}

bool Session::set_option(const sim::Option& option, const sim::OptionValue& value) {
  const auto reason = refusal(option, value);
  if (!reason.empty()) {
    log_warning(fmt::format("{}={}: {}", option.name, sim::to_string(value), reason));
    return false;
  }
  configuration.set(option.name, value);
  options_.note_choice(option);
  if (option.name == "time-step") doubt_time_step();
  if (option.name == "look")
    for (const auto& [name, set] : look_settings(look().light.look)) configuration.set(name, set);
  return true;
}

/// While a slider moves, the first doubtful value is enough.
void Session::doubt_time_step() {
  const auto doubt = has_dataset() ? lab::time_step_doubt(configuration, scene()) : std::string();
  if (!doubt.empty() && !step_is_doubtful_) log_warning(doubt);
  step_is_doubtful_ = !doubt.empty();
}

void Session::start_series(const sim::SeriesRequest& request) {
  if (!has_dataset()) throw sim::Error("a series needs a dataset; open one");
  series_.start(request, dataset().scene);
}

void Session::keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed) {
  if (!has_dataset() || playback() != nullptr)
    throw sim::Error("checkpoints need a simulation; open a dataset");
  open_->keep_checkpoints(request, resumed);
}

std::optional<glm::dvec3> Session::pick(glm::dvec2 cursor, double aspect) const {
  if (!has_dataset()) return std::nullopt;
  const auto position = open_->shown().read_position(open_->shown_slot());
  return middle_under({position, scene().bodies.galaxy, summary(), camera, aspect}, cursor);
}

const GalaxyFacts* Session::singled_out() const {
  if (!has_dataset() || summary().galaxies < 2) return nullptr;
  return summary().find_galaxy(look().picture.singled_out_galaxy());
}

void Session::single_out(std::int64_t number) {
  const auto& option = table_.at("highlight");
  auto value = look().picture.highlight;
  const double most = sim::form_of(option, value)->numbers.front().maximum;
  value.numbers = {static_cast<double>(number)};
  if (value.number(0) <= most)
    set_option(option, sim::form_text(value));
  else
    log_warning(fmt::format("galaxies above number {:.0f} cannot be singled out", most));
}

void Session::single_out_under(glm::dvec2 cursor, double aspect) {
  if (!has_dataset() || summary().galaxies < 2) return;
  const auto position = open_->shown().read_position(open_->shown_slot());
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
  const auto position = open_->shown().read_position(open_->shown_slot());
  return extent_of({position, scene().bodies.galaxy, summary(), camera}, galaxy->number);
}

}  // namespace orrery::app
