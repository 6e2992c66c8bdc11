#pragma once

#include <memory>
#include <optional>

#include "app/picture/legend.h"
#include "app/picture/orbit_trails.h"
#include "app/picture/painter.h"
#include "app/session/attribute_stream.h"
#include "app/session/checkpoint.h"
#include "app/session/drawn_bodies.h"
#include "app/session/force_guard.h"
#include "app/session/loader.h"
#include "app/session/playback.h"
#include "app/session/state.h"
#include "lab/bench/rate_meter.h"
#include "sim/simulation/simulation.h"

namespace orrery::app {

/// The values that panels, keys and files set. The open dataset obeys it once a frame.
struct Controls {
  sim::Configuration configuration;
  render::Camera camera = {};
  render::CameraPath path = {};  ///< camera path that the user edits
  Bookmarks bookmarks = {};
  bool paused = false;
  bool timeline_wanted = false;  ///< somebody looks at timelines of steps (FrameInfo::timeline)
  mutable CurrentLook current_look = {};

  /// The look that the configuration asks for, read from it when it has changed.
  const Look& look() const { return current_look.of(configuration); }
};

/// The controls that a dataset opens with: those of its state where it has one. `settings`: its options.
Controls first_controls(const LoadedDataset& dataset, sim::Configuration settings, bool timeline_wanted);

/// A dataset with its simulation, or with the series that plays instead, and everything that is known of its
/// run. Another dataset is another object, so nothing of this one remains. Needs a current OpenGL context.
class OpenDataset {
 public:
  struct Start {
    std::vector<std::string> notes;  ///< DatasetOptions::notes_on
    int drawing_device = 0;          ///< CUDA ordinal: the GPU that draws
    // Both counters continue from the dataset before, so that its late numbers cannot be taken for this
    // one's.
    std::uint64_t revision = 1;  ///< 0 stands for one that is not known (Health::revision)
    std::uint64_t frames = 0;
  };
  /// Starts the simulation, or the series. Throws what the simulation throws.
  OpenDataset(const sim::OptionTable& table, LoadedDataset dataset, const Controls& controls, Start start);
  OpenDataset(const OpenDataset&) = delete;
  OpenDataset& operator=(const OpenDataset&) = delete;
  ~OpenDataset() = default;

  /// Call once per frame: sends changed controls, takes a new step if there is one. `series` takes the steps;
  /// null: none does. What fails is switched off in `controls`. True if the bodies moved.
  bool update(Controls& controls, const std::shared_ptr<sim::SeriesRecorder>& series);

  /// Implement the functions of Session of these names, without its pausing.
  void step_once(std::uint64_t count);
  void reset();
  void stop_replay();
  void hold(bool on);
  void advance_held(std::uint64_t steps);
  bool is_advancing() const { return held_ && frame_.steps < held_target_; }
  bool is_up_to_date() const;
  void adapt_color_range();

  /// Starts to write checkpoints, as Session::keep_checkpoints says.
  void keep_checkpoints(const CheckpointRequest& request, const std::filesystem::path& resumed);
  std::unique_ptr<Checkpoint> checkpoint(const Controls& controls);
  void finish_checkpoints(const Controls& controls);
  /// Finishes the checkpoints of a run that is left for another dataset; failures are logged.
  void end_checkpoints(const Controls& controls);

  const LoadedDataset& loaded() const { return dataset_; }
  const sim::OptionContext& context() const { return context_; }
  const std::vector<std::string>& notes() const { return notes_; }
  const sim::FrameInfo& frame() const { return frame_; }
  /// True once a state of the simulation or of the series is in the buffers.
  bool has_frame() const { return frame_taken_; }
  double part_done() const { return simulation_ ? simulation_->part_done() : 0.0; }
  const std::optional<sim::Health>& health() const { return guard_.health(); }
  const lab::RateMeter& rates() const { return rates_; }
  const std::string& drawn_how() const { return bodies_.how(); }
  std::uint64_t revision() const { return revision_; }
  std::uint64_t frames() const { return bodies_.frames(); }
  Playback* playback() { return playback_.get(); }
  const Playback* playback() const { return playback_.get(); }
  std::optional<std::uint64_t> replay_target() const { return replay_target_; }

  /// The buffers of the bodies that are shown, and their slot.
  render::BodyBuffers& shown() { return playback_ ? playback_->buffers() : bodies_.buffers(); }
  const render::BodyBuffers& shown() const { return playback_ ? playback_->buffers() : bodies_.buffers(); }
  int shown_slot() const { return playback_ ? playback_->slot() : bodies_.slot(); }
  PictureInput picture(const Controls& controls, double shift) const;
  LegendInfo legend() const;
  ViewState view_state(const Controls& controls) const;
  void begin_drawing();
  void end_drawing();

 private:
  using Clock = lab::RateMeter::Clock;
  /// The last values that the simulation was given, besides the options.
  struct Sent {
    bool paused = false;
    bool held = false;
    bool timeline = false;
    std::uint64_t single_steps = 0;
    std::uint64_t resets = 0;
    std::shared_ptr<sim::SeriesRecorder> series = nullptr;
    bool operator==(const Sent&) const = default;
  };

  void start_simulation(const Controls& controls);
  sim::Control last_control() const;
  void send(const Controls& controls, const std::shared_ptr<sim::SeriesRecorder>& series);
  void receive_health(sim::Configuration& configuration);
  void write_due_checkpoint(const Controls& controls);
  Checkpoint checkpoint_of(sim::KeptState kept, const Controls& controls) const;
  bool update_simulation(Controls& controls, Clock::time_point now);
  bool update_playback(Controls& controls, Clock::time_point now);
  void note_frame();
  void log_kernel_problem();
  void take_orbits(Controls& controls);
  bool take_quantity(Controls& controls);
  bool leaves_gaps() const;

  const sim::OptionTable& table_;
  LoadedDataset dataset_;
  sim::OptionContext context_;
  std::vector<std::string> notes_;
  int drawing_device_;
  std::uint64_t revision_;
  DrawnBodies bodies_;
  std::unique_ptr<sim::Simulation> simulation_;  // after the buffers it writes to: destroyed first
  std::unique_ptr<Playback> playback_;
  Clock::time_point played_at_{};

  sim::FrameInfo frame_;
  bool frame_taken_ = false;
  OrbitTrails orbits_;
  AttributeStream quantities_;
  lab::RateMeter rates_;
  ForceGuard guard_;
  std::optional<CheckpointKeeper> checkpoints_;
  std::string shown_problem_;
  std::string shown_kernel_problem_;

  sim::Configuration sent_configuration_;
  Sent sent_;
  std::uint64_t single_steps_ = 0;
  std::uint64_t resets_ = 0;
  bool held_ = false;
  std::uint64_t held_target_ = 0;  ///< the step that was asked for last
  std::optional<std::uint64_t> replay_target_;
  bool exact_replay_ = true;
  bool drawing_in_gap_ = false;
};

}  // namespace orrery::app
