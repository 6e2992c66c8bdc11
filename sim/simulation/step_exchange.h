#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include "sim/core/triple_buffer.h"
#include "sim/simulation/monitor.h"
#include "sim/simulation/published_frames.h"

namespace orrery::sim {

class SeriesRecorder;

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
  /// The recorder that takes the states of steps, from the present one on; null: none. Stepping waits for it
  /// where its files are slower.
  std::shared_ptr<SeriesRecorder> series = nullptr;
};

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
