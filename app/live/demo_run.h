#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "app/live/demo.h"
#include "app/live/switching.h"

namespace orrery::app {

class Session;

/// The outcome of a step of a demonstration.
struct DemoResult {
  std::string step;
  std::string kernel;
  double gips = 0.0;           ///< median of the kernel, 1e9 interactions per second; 0: not measured
  double seconds = 0.0;        ///< median time of a force evaluation
  double error = 0.0;          ///< median relative force error; 0: not known
  double limit_percent = 0.0;  ///< percentage of the device's first limit; 0 if no limit is known
  std::string refusal;         ///< not empty: the step could not be set, and why
};

/// "step,kernel,gips,ms,error_median,percent_of_limit,remark" and a line for each; what is not known is
/// empty.
std::string demo_csv(const std::vector<DemoResult>& results);

/// Plays a demonstration on the session, a frame at a time: sets what a step says, moves the camera, waits.
class DemoRun {
 public:
  using Clock = std::chrono::steady_clock;
  /// Callbacks to the owner.
  struct Hooks {
    std::function<void()> fit;    ///< shows the whole dataset
    std::function<void()> leave;  ///< before a step is left: what it shows can be kept
  };

  /// Waits for the next dataset to open. `by_itself`: a step whose wait is over gives way to the next.
  void start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself);
  /// Once a frame, after session and switching. Throws sim::Error where a step names what does not exist; the
  /// demonstration has ended then. Ends also when another dataset opens.
  void update(Session& session, const Switching& switching, const Hooks& hooks, Clock::time_point now);
  /// The next step in the next frame, ready or not; after the last one the end.
  void go_on() { next_wanted_ = true; }
  /// The session stays as it is.
  void end() { phase_ = Phase::idle; }

  bool running() const { return phase_ != Phase::idle; }
  /// True while a step is shown.
  bool playing() const { return phase_ == Phase::playing; }
  const Demo& demo() const { return demo_; }
  /// While playing.
  const DemoStep& step() const { return steps_[current_].step; }
  std::size_t current() const { return current_; }
  std::size_t count() const { return steps_.size(); }
  /// The elapsed fraction of the step's time, 0 to 1. At 1 the step may still wait for a median.
  double progress(Clock::time_point now) const;
  /// True while nothing is shown yet, or the first step: what that switches is where all begins.
  bool sets_the_scene() const { return phase_ == Phase::loading || (playing() && current_ == 0); }
  /// True when time and measurement are over.
  bool ready() const { return ready_; }
  bool waits_for_median() const { return waits_; }
  /// Why the present step could not be set; empty if it was.
  const std::string& refusal() const { return refusal_; }
  /// The results of the completed steps.
  const std::vector<DemoResult>& results() const { return results_; }

 private:
  enum class Phase { idle, loading, playing };
  void begin(Session& session, const Hooks& hooks, Clock::time_point now);
  void enter(Session& session, const Hooks& hooks, Clock::time_point now);
  void set_options(Session& session);
  void aim(Session& session, const Hooks& hooks);
  void move(Session& session, Clock::time_point now);
  void wait(const Switching& switching, Clock::time_point now);
  DemoResult result(const Session& session, const Switching& switching) const;

  Demo demo_;
  std::vector<lab::Ladder> ladders_;
  std::vector<ReadyStep> steps_;
  Phase phase_ = Phase::idle;
  bool by_itself_ = false, next_wanted_ = false, ready_ = false, waits_ = false, entered_ = false;
  std::size_t current_ = 0;
  std::uint64_t opening_ = 0;
  std::string refusal_;
  std::vector<DemoResult> results_;
  Clock::time_point since_{}, moved_{};
  render::Camera from_, to_;
  bool moving_ = false;
};

}  // namespace orrery::app
