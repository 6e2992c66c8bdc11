#pragma once

#include <memory>
#include <optional>

#include "app/picture/legend.h"
#include "app/picture/orbit_trails.h"
#include "app/picture/painter.h"
#include "app/picture/picking.h"
#include "app/session/attribute_stream.h"
#include "app/session/checkpoint_keeper.h"
#include "app/session/interop.h"
#include "app/session/loader.h"
#include "app/session/playback.h"
#include "app/session/state.h"
#include "lab/bench/rate_meter.h"
#include "lab/bench/tuned.h"
#include "lab/setup/processor_wait.h"
#include "render/bodies/body_buffers.h"
#include "sim/simulation/simulation.h"

namespace orrery::app {

/// The content of the window: a dataset, its simulation, the camera and all options. Panels and keys change
/// the public members; `update` passes changes on once a frame. Needs a current OpenGL context.
class Session {
 public:
  /// `assignments` of the command line win over what datasets suggest, for every dataset opened later.
  Session(const sim::OptionTable& table, std::vector<std::string> assignments);

  /// Replaces dataset and simulation. Throws what the simulation throws; the old one then goes on.
  void open(LoadedDataset dataset);
  bool has_dataset() const { return simulation_ != nullptr; }

  /// Once a frame: sends changed options, takes a new step if there is one. True if the bodies moved.
  bool update();

  /// Pauses and asks for `count` more steps.
  void step_once(std::uint64_t count = 1);
  /// Back to the initial state; pausing and options stay.
  void reset();
  /// The summary of the present state, for cameras. Reads the positions, so it waits for the GPU.
  SceneSummary summary_now() const;
  /// Adapts the colour range to the bodies as they are now.
  void adapt_color_range();
  /// The default for the present dataset: the scene's suggestion where it has one, else the table's.
  sim::OptionValue default_of(const sim::Option& option) const;
  /// Refuses (with a log line) what conflicts. Use this rather than assigning to `configuration`.
  bool set_option(const sim::Option& option, const sim::OptionValue& value);
  /// Takes everything that computes (engine, its options, physics) and the pace from `wanted`; the display
  /// stays. Returns why it is refused, and changes nothing then.
  std::string set_computing(const sim::Configuration& wanted);
  /// True if all of that amounts to the same as in `other`, except for the pace.
  bool computes_like(const sim::Configuration& other) const;
  /// Results of `orrery tune`, to start with where they fit. Set before the first dataset opens.
  void use_tuned(std::vector<lab::TunedResult> results) { tuned_ = std::move(results); }

  const sim::OptionTable& table() const { return table_; }
  const sim::OptionContext& context() const { return context_; }
  const sim::Scene& scene() const { return *dataset_.scene; }
  const SceneSummary& summary() const { return dataset_.summary; }
  const LoadedDataset& dataset() const { return dataset_; }
  /// Notes about the dataset, including the reason for its initial time step (lab::notes_of) and doubts about
  /// a requested step (lab::time_step_note).
  const std::vector<std::string>& notes() const { return notes_; }
  const sim::FrameInfo& frame() const { return frame_; }
  const std::optional<sim::Health>& health() const { return health_; }
  const lab::RateMeter& rates() const { return rates_; }
  /// Shows if the threads get the cores that they ask for.
  const lab::ProcessorWait& processor_wait() const { return processor_wait_; }
  /// The revision of the controls sent last; FrameInfo::revision reaches it with the first step that obeys
  /// them.
  std::uint64_t revision() const { return revision_; }
  /// The number of datasets opened so far.
  std::uint64_t openings() const { return openings_; }
  /// The way from the engine's device to the picture, in one line; empty for engines without a device.
  const std::string& drawn_how() const { return drawn_how_; }
  /// The series that plays instead of the simulation; null: none. `paused` is its pause too.
  Playback* playback() { return playback_.get(); }
  const Playback* playback() const { return playback_.get(); }
  /// The step that a restored state is being brought to; empty when it is reached.
  std::optional<std::uint64_t> replay_target() const { return replay_target_; }
  void stop_replay();

  /// While held, the simulation makes only the steps that advance_held asks for; `paused` keeps what the
  /// person wants.
  void hold(bool on);
  void advance_held(std::uint64_t steps);
  /// True while steps that were asked for have not all arrived.
  bool is_advancing() const { return held_ && frame_.steps < held_target_; }
  /// True once the state that is shown was computed with the newest controls.
  bool is_up_to_date() const;

  /// Writes the states of the steps from the present one on into a folder (sim/series/series_recorder.h). An
  /// earlier series ends. Throws sim::Error and sim::UsageError.
  void start_series(const sim::SeriesRequest& request);
  /// The files that wait are still written. A reset and another dataset do the same.
  void stop_series();
  /// The series under way, or the last one; null: none yet.
  const sim::SeriesRecorder* series() const { return shown_series_.get(); }
  /// True while steps are recorded.
  bool records() const { return series_ != nullptr; }

  /// Writes the run into a file now and then, until another dataset opens. `resumed`: the file that it went
  /// on from, or an empty path. Throws sim::Error.
  void keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed);
  /// The checkpoint of the newest complete step, without waiting for the step that is under way. Nothing
  /// while there is no simulation, or a series plays.
  std::unique_ptr<Checkpoint> checkpoint();
  /// Writes the last checkpoint, if there are to be some; waits for it. Throws sim::Error.
  void finish_checkpoints();

  /// The painter's input for the present state; needs a dataset. `shift` as in PictureInput.
  PictureInput picture(double shift = 0.0) const;
  /// The legend of the present state; needs a dataset.
  LegendInfo legend() const;
  /// Everything needed to come back to the present picture.
  ViewState view_state() const;
  /// After draw calls that read the bodies.
  void mark_drawn();
  /// Around all draw calls of a frame. A GPU that computes and draws changes between the two only every few
  /// milliseconds: while steps are short, none is queued until the frame is drawn, and `end_drawing` waits
  /// for that.
  void begin_drawing();
  void end_drawing();
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

  sim::Configuration configuration;
  render::Camera camera;
  render::CameraPath path;  ///< camera path that the user edits
  Bookmarks bookmarks;
  bool paused = false;
  bool timeline_wanted = false;  ///< somebody looks at timelines of steps (FrameInfo::timeline)

 private:
  using Interop = std::unique_ptr<InteropBuffers>;
  sim::Configuration for_engine(const sim::Configuration& settings) const;
  sim::Control control() const;
  void send_control();
  void assign(sim::Configuration& settings) const;
  /// True if something that `orrery tune` remembered was set.
  bool start_tuned(sim::Configuration& settings, const sim::OptionContext& context);
  void take_notes(const sim::Configuration& settings);
  void end_checkpoints();
  /// Options that nobody chose.
  void suit_bodies(sim::Configuration& settings, const LoadedDataset& dataset);
  void suit_number_of_bodies(sim::Configuration& settings, const LoadedDataset& dataset);
  void suit_precision(sim::Configuration& settings, const LoadedDataset& dataset);
  Interop make_interop(const sim::Configuration& settings, const LoadedDataset& dataset);
  void take_frame();
  void to_cuda(int slot);
  bool leaves_gaps() const;
  const render::BodyBuffers& shown() const;
  render::BodyBuffers& shown();
  int shown_slot() const { return playback_ ? playback_->slot() : slot_; }
  bool update_playback(lab::RateMeter::Clock::time_point now);
  void take_orbits();
  bool take_quantity();
  void note_map();
  void note_health();
  void begin_guarding(std::string problem);
  void guard_forces();
  bool compute_more_safely(const std::string& problem);
  void note_series();
  void note_checkpoints();
  Checkpoint checkpoint_of(sim::KeptState kept) const;
  void log_kernel_problem();
  void single_out(std::int64_t number);

  const sim::OptionTable& table_;
  std::vector<std::string> assignments_;
  LoadedDataset dataset_;
  std::vector<std::string> notes_;
  sim::OptionContext context_;
  std::unique_ptr<render::BodyBuffers> buffers_;  ///< bodies in host memory
  Interop interop_;                               ///< on the GPU that computes; null: bodies are copied
  std::vector<Interop> retired_;                  ///< until the simulation has left them
  std::unique_ptr<render::MapBuffers> host_map_;  ///< the activity map that came through main memory
  render::MapBuffers* shown_map_ = nullptr;       ///< map of the displayed bodies; null: no map
  InteropBuffers* shown_interop_ = nullptr;       ///< null: the bodies shown are in buffers_
  std::string drawn_how_;
  int drawing_device_ = 0;                       ///< CUDA ordinal
  std::unique_ptr<sim::Simulation> simulation_;  // after the buffers it writes to: destroyed first
  std::unique_ptr<Playback> playback_;
  lab::RateMeter::Clock::time_point played_at_{};
  int slot_ = 0;
  std::uint64_t frames_taken_ = 0;
  sim::FrameInfo frame_;
  OrbitTrails orbits_;
  AttributeStream quantities_;
  bool frame_taken_ = false;  ///< true if a frame of this dataset was taken
  std::optional<sim::Health> health_;
  lab::RateMeter rates_;
  lab::ProcessorWait processor_wait_;
  std::uint64_t single_steps_ = 0;
  std::uint64_t resets_ = 0;
  std::optional<std::uint64_t> replay_target_;
  bool exact_replay_ = true;
  bool drawing_in_gap_ = false;
  sim::Configuration sent_configuration_;
  bool held_ = false;
  std::uint64_t held_target_ = 0;  ///< the step that was asked for last
  bool sent_held_ = false;
  bool sent_paused_ = false;
  bool sent_timeline_wanted_ = false;
  std::uint64_t sent_single_steps_ = 0;
  std::uint64_t sent_resets_ = 0;
  std::string shown_problem_;
  std::uint64_t revision_ = 1;       ///< 0 stands for one that is not known (Health::revision)
  std::uint64_t ring_revision_ = 0;  ///< since which interop_ is what it is
  std::uint64_t openings_ = 0;
  std::shared_ptr<sim::SeriesRecorder> series_;        ///< recording; null: none
  std::shared_ptr<sim::SeriesRecorder> shown_series_;  ///< the same, or the last one
  std::shared_ptr<sim::SeriesRecorder> sent_series_;
  std::vector<std::shared_ptr<sim::SeriesRecorder>> retired_series_;  ///< until their files are written
  bool series_problem_shown_ = false;
  std::optional<CheckpointKeeper> checkpoints_;
  std::vector<lab::TunedResult> tuned_;
  bool chose_kernel_ = false;     ///< this session, for a dataset of many bodies
  bool chose_precision_ = false;  ///< this session, for a scene that wants it
  bool kernel_by_hand_ = false;   ///< a person chose it since the start
  std::string shown_kernel_problem_;
  std::string force_problem_;  ///< ViewState::force_problem
  std::string shown_shortfall_;
  std::uint64_t guarded_revision_ = ~std::uint64_t{0};  ///< whose forces were beyond what is stated
  std::vector<sim::Configuration> left_;                ///< configurations that were replaced for this
};

}  // namespace orrery::app
