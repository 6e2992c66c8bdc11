#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>

#include "sim/core/triple_buffer.h"
#include "sim/simulation/control.h"
#include "sim/simulation/frame_slots.h"
#include "sim/simulation/monitor.h"

namespace orrery::sim {

/// A question of one thread to another one, which answers when it gets to it.
template <typename T>
class Request {
 public:
  // Of the thread that asks.
  void ask() { asked_ = true; }
  /// The answer to `ask`; waits for it.
  T wait() {
    asked_.wait(true);
    return std::move(answer_);
  }

  // Of the thread that answers.
  bool asked() const { return asked_; }
  void answer(T answer) {
    answer_ = std::move(answer);
    asked_ = false;
    asked_.notify_one();
  }

 private:
  std::atomic<bool> asked_{false};
  T answer_{};
};

/// A state to go on from later.
struct KeptState {
  EngineState engine;
  Configuration configuration;  ///< configuration that computed it
};

/// The last complete step as it is drawn and saved.
struct TimedBodies {
  Bodies bodies;
  double time = 0.0;  ///< simulated
};

/// All that the thread that draws and the one that steps have in common. Controls and steps travel through
/// triple buffers, so a frame never waits for a step.
struct StepExchange {
  using Clock = std::chrono::steady_clock;

  /// `ring`: host targets, whose memory must outlive this.
  explicit StepExchange(const TargetRing& ring) : frames(ring) {}

  // The drawing thread says:
  Mailbox<Control> controls;
  std::atomic<bool> interrupt{false};  ///< ends the force evaluation under way
  std::atomic<bool> quit{false};
  /// The time until which no work is queued for a device.
  std::atomic<Clock::time_point> gives_way_until{Clock::time_point::min()};

  // The drawing thread asks, the stepping thread answers:
  Request<TimedBodies> state;                      ///< after the step that is under way
  Request<std::unique_ptr<KeptState>> last_state;  ///< at once; null: the engine could not give it
  std::atomic<bool> keep_wanted{false};            ///< the state of the next complete step, into `kept`
  Mailbox<std::unique_ptr<KeptState>> kept;

  // The stepping thread says:
  FrameSlots frames;
  Monitor monitor;                     ///< results of the checks
  std::atomic<double> part_done{0.0};  ///< share of the step under way, 0 to 1
};

}  // namespace orrery::sim
