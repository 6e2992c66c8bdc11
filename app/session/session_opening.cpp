#include "app/session/session.h"

#include <utility>

#include "app/log.h"
#include "app/picture/picture_options.h"
#include "lab/setup/double_precision.h"
#include "lab/setup/many_bodies.h"
#include "lab/setup/paths.h"
#include "lab/setup/starting_options.h"
#include "sim/options/configuration.h"
#include "sim/options/engine_option.h"

// Another dataset.
namespace orrery::app {

namespace {

sim::TargetRing ring_of(const render::BodyBuffers& buffers) {
  sim::TargetRing ring;
  for (int slot = 0; slot < buffers.slots(); ++slot) {
    ring.at(static_cast<std::size_t>(slot)) = {.position = buffers.mapped_position(slot),
                                               .velocity = buffers.mapped_velocity(slot),
                                               .bodies = buffers.bodies()};
  }
  return ring;
}

std::unique_ptr<render::BodyBuffers> buffers_for(const sim::Bodies& bodies, const SceneSummary& summary) {
  auto buffers =
      std::make_unique<render::BodyBuffers>(bodies.size(), render::BodyBuffers::Storage::host_ring);
  set_static(*buffers, bodies, summary);
  return buffers;
}

/// Drops choices that do not fit the new dataset: the galaxy
/// that was singled out, and the colours of the file.
void forget_missing(sim::Configuration& settings, const sim::OptionContext& context) {
  auto highlight = picture_options(settings).highlight;
  if (highlight.number(0) >= static_cast<double>(context.galaxies)) {
    highlight.numbers = {-1.0};
    settings.set("highlight", sim::form_text(highlight));
  }
  if (picture_options(settings).color_mode == "file" && context.lacks_colors)
    settings.set("color-mode", std::string("auto"));
}

}  // namespace

void Session::open(LoadedDataset dataset) {
  auto settings = configuration;
  if (dataset.state) {
    settings = dataset.state->configuration;
  } else {
    lab::apply_scene(settings, *dataset.scene, assignments_);
  }
  const auto context = lab::option_context(*dataset.scene);
  // At the start only: later the person may have switched options.
  const bool tuned = !dataset.state && openings_ == 0 && start_tuned(settings, context);
  forget_missing(settings, context);
  assign(settings);
  if (!tuned) suit_bodies(settings, dataset);
  // What the command line says of the first dataset need not fit the next one.
  if (openings_ > 0) forget_missing(settings, context);
  table_.check(settings, context);

  // Everything that can fail comes before anything is replaced.
  auto buffers = buffers_for(dataset.scene->bodies, dataset.summary);
  auto interop = make_interop(settings, dataset);
  const bool start_paused = !dataset.scene->has_velocities;
  std::unique_ptr<Playback> playback;
  if (dataset.series.size() > 1)
    playback = std::make_unique<Playback>(dataset.series, dataset.scene, dataset.summary,
                                          lab::read_options(dataset.request));
  const auto resumed = std::move(dataset.resumed);
  const auto changed = resumed ? adapt_checkpoint(*resumed, table_, settings) : std::string();
  const auto replay = dataset.state && !resumed ? std::optional(dataset.state->step) : std::nullopt;
  sim::Control start{.configuration = for_engine(settings),
                     .paused = resumed ? resumed->paused : replay || start_paused || playback,
                     .speed = picture_options(settings).speed,
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
  take_notes(settings);
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
  begin_guarding(resumed ? resumed->view.force_problem : std::string());
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

/// Hands the dataset's notes to the panel; a doubtful time step is a present problem, too.
void Session::take_notes(const sim::Configuration& settings) {
  notes_ = lab::notes_of(scene(), dataset_.state ? std::vector<std::string>() : assignments_);
  const auto doubt = lab::time_step_note(settings, scene(), assignments_);
  if (doubt.empty()) return;
  log_warning(doubt);
  notes_.push_back(doubt);
}

/// Assigns the options of the command line. Where the GPU does not start, the CPU computes.
void Session::assign(sim::Configuration& settings) const {
  const bool on_gpu = sim::is_on_gpu(settings);
  lab::apply_assignments(table_, settings, assignments_);
  if (!on_gpu) return;
  if (const auto note = lab::idle_gpu_note(settings, assignments_); !note.empty()) log_info(note);
}

bool Session::start_tuned(sim::Configuration& settings, const sim::OptionContext& context) {
  const auto before = settings;
  const auto line = lab::apply_tuned(table_, settings, tuned_, context, assignments_);
  if (!line.empty()) log_info(line);
  return settings != before;
}

void Session::suit_bodies(sim::Configuration& settings, const LoadedDataset& dataset) {
  suit_number_of_bodies(settings, dataset);
  suit_precision(settings, dataset);
}

/// Many bodies start with a tree. Few ones after them go back to direct sums.
void Session::suit_number_of_bodies(sim::Configuration& settings, const LoadedDataset& dataset) {
  if (dataset.state) chose_kernel_ = false;
  if (dataset.state || kernel_by_hand_) return;
  if (chose_kernel_ && !lab::tree_is_faster(settings, *dataset.scene)) {
    for (const char* option : {"kernel", "family"}) settings.set(option, table_.defaults().choice(option));
  }
  chose_kernel_ = false;
  const auto line = lab::choose_kernel_for_many(table_, settings, *dataset.scene, assignments_);
  if (line.empty()) return;
  chose_kernel_ = true;
  log_info(line);
}

/// Few bodies that are followed for long start with double precision. Others after them go back to the usual.
void Session::suit_precision(sim::Configuration& settings, const LoadedDataset& dataset) {
  if (dataset.state) chose_precision_ = false;
  if (dataset.state || kernel_by_hand_) return;
  if (chose_precision_ && !dataset.scene->wants_double) {
    for (const char* option : lab::precision_options) settings.set(option, table_.defaults().value(option));
  }
  chose_precision_ = dataset.scene->wants_double;
  const auto line = lab::choose_double_precision(table_, settings, *dataset.scene, assignments_);
  if (!line.empty()) log_info(line);
}

}  // namespace orrery::app
