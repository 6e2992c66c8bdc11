#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "sim/core/request.h"
#include "sim/core/triple_buffer.h"
#include "sim/engines/engine.h"
#include "sim/scene/scene.h"
#include "sim/series/series_recorder.h"
#include "sim/simulation/frame_slots.h"
#include "sim/simulation/step_checks.h"
#include "sim/simulation/step_rate.h"

namespace orrery::sim {

/// The user's controls. Sent as a whole; the newest counts.
struct Control {
  Configuration configuration;
  bool paused = false;
  double speed = 0.0;              ///< simulated time per second; 0: as fast as the engine goes
  std::uint64_t single_steps = 0;  ///< steps asked for while paused, counted from the start
  std::uint64_t resets = 0;        ///< returns to the initial state, counted from the start
  std::uint64_t revision = 0;      ///< rises with every change: comes back with the steps that obey it
  /// Device targets for engines that prefer them; null: they publish into the host ring, by a copy. Targets
  /// of slots that the drawing thread does not hold must be writable. The ring must live until a frame names
  /// another one, or the simulation ends.
  const TargetRing* device_ring = nullptr;
  /// The folder in which the last complete state is saved if a GPU fails; empty: the working folder.
  std::filesystem::path rescue_folder;
  bool timeline = false;  ///< somebody looks at timelines: the engine is asked for them
  /// Takes the states of steps as they come, from the present one on; null: none. Stepping waits for it where
  /// its files are slower.
  std::shared_ptr<SeriesRecorder> series = nullptr;
};

/// A state to go on from later.
struct KeptState {
  EngineState engine;
  Configuration configuration;  ///< configuration that computed it
};

/// Steps an engine on a thread of its own and hands complete steps to the drawing thread. No lock is shared:
/// controls and steps travel through triple buffers, so a frame never waits for a step.
///
/// All public functions are for one thread, the one that draws.
class Simulation {
 public:
  /// Starts with `scene` as the initial state, or at a step that was kept of a run of it, and publishes it at
  /// once. `ring` holds host targets whose memory must outlive the simulation. Throws what make_engine,
  /// Engine::load and Engine::restore_state throw.
  Simulation(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
             const TargetRing& ring, const EngineState* start = nullptr);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  /// Ends the force evaluation that is under way and joins the thread.
  ~Simulation();

  /// Takes effect between steps. Changing what computes (engine, kernel, threads) or a reset ends the present
  /// force evaluation, which then starts anew: a long step does not delay them, and the state stays.
  void set_control(Control control);

  /// Queues no more work for a device until `go_on`, at most for so long: what is drawn need not share it
  /// then.
  void give_way(std::chrono::microseconds longest);
  void go_on() { gives_way_until_ = Clock::time_point::min(); }

  /// True if a newer step is ready; then `take_frame` gives back the slot in hand for the newer one.
  bool has_news() const { return frames_.has_news(); }
  /// The slot to draw from now on (valid until the next call) and what is known about it. Gives back the slot
  /// in hand, whose device target must be writable again before.
  int take_frame(FrameInfo& info) { return frames_.take(info); }

  /// Results of the background checks: force error, energy and momentum drift.
  bool receive_health(Health& health) { return checks_.receive(health); }

  /// The part of the step under way that is done, 0 to 1, where the engine tells (part_done_fact).
  double part_done() const { return part_done_.load(std::memory_order_relaxed); }

  /// A copy of the newest complete state, for writing a snapshot: waits for the step that is under way.
  Bodies state(double& time);

  /// True unless it started at a step of which the engine could take positions and velocities only.
  bool went_on_exactly() const { return went_on_exactly_; }
  /// Asks for the state of the next complete step, while paused of the present one: receive_state has it some
  /// time later.
  void ask_for_state() { keep_wanted_ = true; }
  /// True if it has come; null where the engine could not give it.
  bool receive_state(std::unique_ptr<KeptState>& state) { return kept_.receive(state); }
  /// The newest complete state, without waiting for the step that is under way: it is made anew then. Null
  /// where the engine could not give it.
  std::unique_ptr<KeptState> last_state();

 private:
  using Clock = std::chrono::steady_clock;
  struct TimedBodies {
    Bodies bodies;
    double time = 0.0;
  };

  void run();
  void work();
  void receive_control();
  void apply(Control control);
  void switch_engine(const Configuration& configuration);
  void take_over(Engine& engine);
  void use_device_ring(const TargetRing* ring);
  void restart(const EngineState* start = nullptr);
  void ask_for_baseline();
  void lose_device(const class DeviceLost& error);
  std::string note_loss(const class DeviceLost& error);
  bool may_step();
  bool gives_way();
  bool step();
  void complete_step();
  void record(std::uint64_t steps);
  void note_part_done(bool complete, Clock::time_point now);
  void observe_if_due(Clock::time_point now);
  bool prefers_device() const;
  bool uses_device_ring() const;
  void publish();
  void publish_if_due();
  bool next_step_publishes();
  void offer_slot();
  void collect();
  void offer();
  void settle();
  void report(std::string problem);
  SteppedRun run_now();
  void answer_state_request();
  std::unique_ptr<KeptState> keep_state();
  void keep_if_asked();
  void answer_last_state();

  const OptionTable& options_;
  std::shared_ptr<const Scene> scene_;
  FrameSlots frames_;
  Mailbox<Control> controls_;
  Control sent_;                        ///< the drawing thread's copy of what it sent last
  std::atomic<bool> interrupt_{false};  ///< ends the force evaluation under way
  std::atomic<bool> quit_{false};
  std::atomic<double> part_done_{0.0};
  std::atomic<Clock::time_point> gives_way_until_{Clock::time_point::min()};
  Request<TimedBodies> state_;
  Request<std::unique_ptr<KeptState>> last_state_;
  std::atomic<bool> keep_wanted_{false};
  Mailbox<std::unique_ptr<KeptState>> kept_;
  bool went_on_exactly_ = true;
  StepChecks checks_;

  // Only touched by the stepping thread once it runs.
  Control control_;
  std::unique_ptr<Engine> engine_;
  std::uint64_t single_steps_done_ = 0;
  bool stopped_ = false;            ///< after a failure, until the controls change
  bool step_under_way_ = false;     ///< begun and not complete
  bool unpublished_ = false;        ///< there is a newer state than the one published last
  Clock::time_point part_asked_{};  ///< when the engine was asked last how far the step is
  bool rested_ = false;             ///< gave way since the last step
  bool in_flight_ = false;          ///< the device has yet to write the slot in hand
  bool device_ring_lost_ = false;   ///< true if the ring was lost with its GPU; the host's is used
  FrameInfo info_;
  StepRate rate_;
  Clock::time_point next_step_{};
  Clock::time_point next_timeline_{};

  std::thread thread_;
};

}  // namespace orrery::sim
