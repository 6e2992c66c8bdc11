#pragma once

#include <chrono>
#include <memory>
#include <thread>

#include "sim/simulation/step_exchange.h"

namespace orrery::sim {

class StepLoop;

/// Steps an engine on a thread of its own and hands complete steps to the drawing thread: its door. StepLoop
/// is what goes on behind it.
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
  void go_on() { exchange_.gives_way_until = StepExchange::Clock::time_point::min(); }

  /// True if a newer step is ready; then `take_frame` gives back the slot in hand for the newer one.
  bool has_news() const { return exchange_.frames.has_news(); }
  /// The slot to draw from now on (valid until the next call) and what is known about it. Gives back the slot
  /// in hand, whose device target must be writable again before.
  int take_frame(FrameInfo& info) { return exchange_.frames.take(info); }

  /// Results of the background checks: force error, energy and momentum drift.
  bool receive_health(Health& health) { return exchange_.monitor.receive(health); }

  /// The part of the step under way that is done, 0 to 1, where the engine tells (part_done_fact).
  double part_done() const { return exchange_.part_done.load(std::memory_order_relaxed); }

  /// A copy of the newest complete state, for writing a snapshot: waits for the step that is under way.
  Bodies state(double& time);

  /// True unless it started at a step of which the engine could take positions and velocities only.
  bool went_on_exactly() const;
  /// Asks for the state of the next complete step, while paused of the present one: receive_state has it some
  /// time later.
  void ask_for_state() { exchange_.keep_wanted = true; }
  /// True if the state has come; null where the engine could not give it.
  bool receive_state(std::unique_ptr<KeptState>& state) { return exchange_.kept.receive(state); }
  /// The newest complete state, without waiting for the step that is under way: it is made anew then. Null
  /// where the engine could not give it.
  std::unique_ptr<KeptState> last_state();

 private:
  const OptionTable& options_;
  Control sent_;  ///< the last ones sent
  StepExchange exchange_;
  std::unique_ptr<StepLoop> loop_;  ///< only touched by the stepping thread once it runs
  std::thread thread_;
};

}  // namespace orrery::sim
