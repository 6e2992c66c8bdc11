#pragma once

#include <memory>
#include <string>

#include "sim/core/error.h"
#include "sim/simulation/published_frames.h"
#include "sim/simulation/step_exchange.h"
#include "sim/simulation/step_watch.h"

namespace orrery::sim {

/// A run that is drawn as it goes: the engine in use, which the controls change, and what comes of its steps.
/// After a failure the state is the last complete one, and the next frame says what happened. Of the stepping
/// thread.
class LiveRun {
 public:
  /// The run begins with `restart`. `options` and `exchange` must outlive it. Throws what make_engine throws.
  LiveRun(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
          StepExchange& exchange);

  const Control& control() const { return control_; }  ///< controls in force
  Engine& engine() { return *engine_; }
  /// The run as the checks see it now.
  SteppedRun present() { return {*engine_, control_.configuration, control_.revision, info().steps}; }
  FrameInfo& info() { return frames_.info(); }  ///< facts about the present state
  FramePublisher& frames() { return frames_; }
  StepWatch& watch() { return watch_; }
  bool stopped() const { return stopped_; }  ///< after a failure, until the controls change

  /// Goes back to the initial state, or to a step that was kept. False if the engine could take positions and
  /// velocities of that only. Throws what Engine::load and Engine::restore_state throw.
  bool restart(const EngineState* start);
  /// Computes as new controls say from now on. What is refused is reported, and `control` gets what is in
  /// force instead.
  void configure(Control& control);
  /// Takes over the controls that `configure` put in force.
  void take(Control control);

  /// Hands on the work that the engine has finished: the frame in flight, samples and timelines.
  void collect();
  /// Throws what Engine::write_vertices throws.
  void publish();
  /// Publishes if there is something new and nothing in flight. Throws what publish() throws.
  void publish_if_due() {
    if (frames_.is_due()) publish();
  }

  /// Publishes that there is a problem. Steps go on.
  void report(std::string problem);
  /// Publishes that there is a problem, and ends the steps.
  void stop(std::string problem);
  /// One of several GPUs failed: saves the state that the engine kept. Returns what to report.
  std::string note_loss(const DeviceLost& error);

 private:
  void switch_engine(const Configuration& configuration);
  void replace_engine(const Configuration& configuration);
  void take_over(Engine& engine);
  void change_ring(const TargetRing* ring);
  void settle();

  const OptionTable& options_;
  std::shared_ptr<const Scene> scene_;
  StepWatch watch_;
  Control control_;
  std::unique_ptr<Engine> engine_;
  FramePublisher frames_;
  bool stopped_ = false;
};

}  // namespace orrery::sim
