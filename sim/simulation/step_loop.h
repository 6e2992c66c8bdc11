#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "sim/simulation/live_run.h"
#include "sim/simulation/step_rate.h"

namespace orrery::sim {

/// The stepping thread, round by round: it obeys the controls, answers for states, and steps at the
/// pace that is asked for. Nothing but the exchange is shared with another thread.
class StepLoop {
 public:
  /// Arguments and exceptions as of Simulation. `exchange` must outlive it.
  StepLoop(const OptionTable& options, std::shared_ptr<const Scene> scene, Control control,
           StepExchange& exchange, const EngineState* start);

  /// Runs the rounds of the stepping thread until the exchange says `quit`. Its priority is lower afterwards.
  void run();
  /// As Simulation::went_on_exactly; any thread may ask.
  bool went_on_exactly() const { return went_on_exactly_; }

 private:
  using Clock = StepExchange::Clock;

  void work();
  void receive_control();
  void apply(Control control);
  void set_pace(const Control& control);
  void restart(const EngineState* start = nullptr);
  bool may_step();
  bool is_time();
  bool gives_way();
  bool next_step_publishes();
  bool step();
  void complete_step();
  void note_part_done(bool complete, Clock::time_point now);
  void answer_state_request();
  std::unique_ptr<KeptState> keep_state();
  void keep_if_asked();
  void answer_last_state();

  std::shared_ptr<const Scene> scene_;
  StepExchange& exchange_;
  LiveRun run_;
  bool went_on_exactly_ = true;          ///< constant once the thread runs
  std::uint64_t single_steps_done_ = 0;  ///< steps of Control::single_steps that were made
  Clock::time_point next_step_{};        ///< when it is due, if a speed is asked for
  StepRate rate_;
  bool step_under_way_ = false;     ///< begun and not complete
  bool rested_ = false;             ///< gave way since the last step
  Clock::time_point part_asked_{};  ///< when the engine was asked last how far the step is
};

}  // namespace orrery::sim
