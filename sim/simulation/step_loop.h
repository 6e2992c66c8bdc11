#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "sim/simulation/live_run.h"

namespace orrery::sim {

/// The time of a step, as the mean of few, so that it follows a change.
class StepRate {
 public:
  using Clock = std::chrono::steady_clock;

  /// A step begins. The interval begins with the first step after a pause.
  void begin(Clock::time_point now) {
    if (counted_ != 0) return;
    counted_ = 1;
    since_ = now;
  }
  /// A step is complete. Returns the milliseconds per step.
  double end(Clock::time_point now) {
    const std::chrono::duration<double, std::milli> elapsed = now - since_;
    const double step_ms = elapsed.count() / static_cast<double>(counted_++);
    if (counted_ > most_counted) pause();
    return step_ms;
  }
  /// The time until the next step is not counted.
  void pause() { counted_ = 0; }

 private:
  static constexpr std::uint64_t most_counted = 16;

  Clock::time_point since_{};
  std::uint64_t counted_ = 0;  ///< the step under way is the n-th of the interval; 0: none
};

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
