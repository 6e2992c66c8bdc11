#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/picture/picking.h"
#include "app/session/dataset_options.h"
#include "app/session/open_dataset.h"
#include "lab/setup/load_watch.h"
#include "sim/series/series_recorder.h"

namespace orrery::app {

/// The series of states that a session writes: the one under way, the one that the panel shows, and those
/// whose files are still being written. It outlives the dataset that it is of.
class SeriesRecording {
 public:
  /// An earlier series ends. Throws sim::Error and sim::UsageError.
  void start(const sim::SeriesRequest& request, std::shared_ptr<const sim::Scene> scene);
  /// The files that wait are still written.
  void stop();
  /// Call once per frame: a file that cannot be written ends the series.
  void update();
  /// The receiver of the simulation's steps; null: none.
  const std::shared_ptr<sim::SeriesRecorder>& under_way() const { return series_; }
  /// The series under way, or the last one; null: none yet.
  const sim::SeriesRecorder* shown() const { return shown_.get(); }

 private:
  std::shared_ptr<sim::SeriesRecorder> series_;
  std::shared_ptr<sim::SeriesRecorder> shown_;                 ///< the series under way, or the last one
  std::vector<std::shared_ptr<sim::SeriesRecorder>> retired_;  ///< until their files are written
  bool problem_shown_ = false;
};

/// The content of the window: the open dataset, and the controls. Panels and keys change the members of
/// Controls; `update` passes changes on once a frame. Needs a current OpenGL context.
class Session : public Controls {
 public:
  /// `assignments` of the command line win over what datasets suggest, for every dataset opened later.
  Session(const sim::OptionTable& table, std::vector<std::string> assignments);

  /// Replaces dataset and simulation. `held`: it waits for the user or not; empty: as datasets of its kind
  /// do. Throws what the simulation throws; the old one then goes on.
  void open(LoadedDataset dataset, std::optional<bool> held = {});
  bool has_dataset() const { return open_ != nullptr; }

  /// Call once per frame: sends changed options, takes a new step if there is one. True if the bodies moved.
  bool update();

  /// Pauses and asks for `count` more steps.
  void step_once(std::uint64_t count = 1);
  /// Back to the initial state; pausing and options stay.
  void reset();
  /// The summary of the present state, for cameras. Reads the positions, so it waits for the GPU.
  SceneSummary summary_now() const;
  /// Positions of up to about 1000 of the luminous bodies as they are now, always of the same ones. Reads
  /// only these, so it is cheap for any number of bodies.
  std::vector<glm::dvec3> luminous_now() const;
  /// Adapts the colour range to the bodies as they are now.
  void adapt_color_range() {
    if (open_) open_->adapt_color_range();
  }
  /// The default for the present dataset: the scene's suggestion where it has one, else the table's.
  sim::OptionValue default_of(const sim::Option& option) const;
  /// Refuses (with a log line) what conflicts. Use this rather than assigning to `configuration`.
  bool set_option(const sim::Option& option, const sim::OptionValue& value);
  /// Why an option cannot have that value now; empty: it can.
  std::string refusal(const sim::Option& option, const sim::OptionValue& value) const {
    return table_.refusal(option, value, configuration, context());
  }
  /// Takes everything that computes (engine, its options, physics) and the pace from `wanted`; the display
  /// stays. Returns why it is refused, and changes nothing then.
  std::string set_computing(const sim::Configuration& wanted) {
    return app::set_computing(table_, context(), configuration, wanted);
  }
  /// True if all of that amounts to the same as in `other`, except for the pace.
  bool computes_like(const sim::Configuration& other) const {
    return sim::same_effect(table_, configuration, other, sim::decides_result);
  }
  /// Results of `orrery tune`, to start with where they fit. Set before the first dataset opens.
  void use_tuned(std::vector<lab::TunedResult> results) { options_.use_tuned(std::move(results)); }

  const sim::OptionTable& table() const { return table_; }
  const sim::OptionContext& context() const {
    return open_ ? open_->context() : nothing<sim::OptionContext>();
  }
  const sim::Scene& scene() const { return *dataset().scene; }
  const SceneSummary& summary() const { return dataset().summary; }
  const LoadedDataset& dataset() const { return open_ ? open_->loaded() : nothing<LoadedDataset>(); }
  /// DatasetOptions::notes_on.
  const std::vector<std::string>& notes() const {
    return open_ ? open_->notes() : nothing<std::vector<std::string>>();
  }
  const sim::FrameInfo& frame() const { return open_ ? open_->frame() : nothing<sim::FrameInfo>(); }
  /// The part of the step under way that is done, 0 to 1, where the engine tells; a long step only.
  double part_done() const { return open_ ? open_->part_done() : 0.0; }
  const std::optional<sim::Health>& health() const {
    return open_ ? open_->health() : nothing<std::optional<sim::Health>>();
  }
  const lab::RateMeter& rates() const { return open_ ? open_->rates() : nothing<lab::RateMeter>(); }
  /// Shows if the threads get the cores that they ask for.
  const lab::ProcessorWait& processor_wait() const { return processor_wait_; }
  /// The revision of the controls sent last; FrameInfo::revision reaches it with the first step that obeys
  /// them.
  std::uint64_t revision() const { return open_ ? open_->revision() : OpenDataset::Start().revision; }
  /// The number of datasets opened so far.
  std::uint64_t openings() const { return openings_; }
  /// The way from the engine's device to the picture, in one line; empty for engines without a device.
  const std::string& drawn_how() const { return open_ ? open_->drawn_how() : nothing<std::string>(); }
  /// The series that plays instead of the simulation; null: none. `paused` is its pause too.
  Playback* playback() { return open_ ? open_->playback() : nullptr; }
  const Playback* playback() const { return open_ ? std::as_const(*open_).playback() : nullptr; }
  /// The step that a restored state is being brought to; empty when it is reached.
  std::optional<std::uint64_t> replay_target() const { return open_ ? open_->replay_target() : std::nullopt; }
  void stop_replay() {
    if (open_) open_->stop_replay();
  }

  /// Holds the simulation: it makes only the steps that advance_held asks for. `paused` keeps what the person
  /// wants.
  void hold(bool on) {
    if (open_) open_->hold(on);
  }
  void advance_held(std::uint64_t steps) {
    if (open_) open_->advance_held(steps);
  }
  /// True while steps that were asked for have not all arrived.
  bool is_advancing() const { return open_ && open_->is_advancing(); }
  /// True once the state that is shown was computed with the newest controls.
  bool is_up_to_date() const { return open_ && open_->is_up_to_date(); }

  /// Writes the states of the steps from the present one on into a folder (sim/series/series_recorder.h). An
  /// earlier series ends. Throws sim::Error and sim::UsageError.
  void start_series(const sim::SeriesRequest& request);
  /// The files that wait are still written. A reset and another dataset do the same.
  void stop_series() { series_.stop(); }
  /// The series under way, or the last one; null: none yet.
  const sim::SeriesRecorder* series() const { return series_.shown(); }
  /// True while steps are recorded.
  bool records() const { return series_.under_way() != nullptr; }

  /// Writes the run into a file now and then, until another dataset opens. `resumed`: the file that it went
  /// on from, or an empty path. Throws sim::Error.
  void keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed);
  /// The checkpoint of the newest complete step, without waiting for the step that is under way. Nothing
  /// while there is no simulation, or a series plays.
  std::unique_ptr<Checkpoint> checkpoint() { return open_ ? open_->checkpoint(*this) : nullptr; }
  /// Writes the last checkpoint, if there are to be some; waits for it. Throws sim::Error.
  void finish_checkpoints() {
    if (open_) open_->finish_checkpoints(*this);
  }

  /// The painter's input for the present state; needs a dataset. `shift` as in PictureInput.
  PictureInput picture(double shift = 0.0) const { return open_->picture(*this, shift); }
  /// The legend of the present state; needs a dataset.
  LegendInfo legend() const { return open_->legend(); }
  /// Everything needed to come back to the present picture; needs a dataset.
  ViewState view_state() const { return open_->view_state(*this); }
  /// Call after the draw calls that read the bodies; needs a dataset.
  void mark_drawn() { open_->shown().mark_drawn(open_->shown_slot()); }
  /// Around all draw calls of a frame. A GPU that computes and draws changes between the two only every few
  /// milliseconds: while steps are short, none is queued until the frame is drawn, and `end_drawing` waits
  /// for that.
  void begin_drawing() {
    if (open_) open_->begin_drawing();
  }
  void end_drawing() {
    if (open_) open_->end_drawing();
  }
  /// Position of the bodies under the cursor (normalized device coordinates), if there are any near it.
  std::optional<glm::dvec3> pick(glm::dvec2 cursor, double aspect) const;

  /// The galaxy that is singled out among several; nullptr for none.
  const GalaxyFacts* singled_out() const;
  /// Singles out the galaxy under the cursor, or none where none is. Only where there are several.
  void single_out_under(glm::dvec2 cursor, double aspect);
  /// The next one in `direction`, around the ends; from none the first or the last.
  void single_out_next(int direction);
  /// All galaxies look as they are again; false if none was singled out.
  bool show_all_galaxies();
  /// The sphere in which the galaxy that is singled out is drawn now.
  std::optional<GalaxyExtent> singled_out_extent() const;

 private:
  /// An empty value, for a session without a dataset.
  template <typename T>
  static const T& nothing() {
    static const T empty{};
    return empty;
  }
  void single_out(std::int64_t number);
  void doubt_time_step();

  const sim::OptionTable& table_;
  DatasetOptions options_;
  int drawing_device_;  ///< CUDA ordinal
  std::unique_ptr<OpenDataset> open_;
  SeriesRecording series_;
  lab::ProcessorWait processor_wait_;
  std::uint64_t openings_ = 0;
  bool step_is_doubtful_ = false;
};

}  // namespace orrery::app
