#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/live/demo.h"
#include "app/live/demo_camera.h"
#include "lab/bench/rates.h"
#include "lab/figures/accuracy_speed_plot.h"
#include "lab/plots/figure.h"

namespace orrery::app {

class Switching;

/// The outcome of a step of a demonstration.
struct DemoResult {
  std::string step;
  std::string kernel;
  double gips = 0.0;           ///< median of the kernel, 1e9 interactions per second; 0: not measured
  double seconds = 0.0;        ///< median time of a force evaluation
  double error = 0.0;          ///< median relative force error; 0: not known
  double limit_percent = 0.0;  ///< percentage of the device's first limit; 0 if no limit is known
  std::string refusal;         ///< not empty: the step could not be set, and why
  std::string label = {};      ///< name for the audience
  lab::Spread spread = {};     ///< spread of the rate
  bool busy = false;           ///< other programs used the cores meanwhile
};

/// "step,kernel,gips,ms,error_median,percent_of_limit,remark" and a line for each; what is not known is
/// empty. The remark says why a step could not be set, or that the machine was busy.
std::string demo_csv(const std::vector<DemoResult>& results);

/// The measured steps, as an audience compares them.
class DemoComparison {
 public:
  /// Compares the measured ones of `results`, and `present` if it is not null.
  DemoComparison(const std::vector<DemoResult>& results, const DemoResult* present);

  const std::vector<DemoResult>& rows() const { return rows_; }
  /// True if the steps evaluate different numbers of interactions, as a tree and all pairs do: then the times
  /// of an evaluation are compared, not the rates.
  bool by_time() const { return by_time_; }
  /// The quantity that is compared: "GInteractions/s", or "time for all forces".
  std::string quantity() const { return by_time_ ? "time for all forces" : "GInteractions/s"; }
  /// "41.2", or "203 ms".
  std::string text(const DemoResult& row) const;
  /// The length of a step's bar, relative to that of the fastest: 0 to 1.
  double length(const DemoResult& row) const;
  /// The last over the first.
  lab::Factor factor() const;

 private:
  lab::MeasuredSpeed speed(const DemoResult& row) const;

  std::vector<DemoResult> rows_;
  bool by_time_ = false;
};

/// Error over time of the measured steps, each dot with its step's name for the audience: those of `results`,
/// and `present`, which computes now, if it is not null.
lab::AccuracySpeedPlot board_of(const std::vector<DemoResult>& results, const DemoResult* present);

/// "3.1e-7": the sign of the power, without a zero before it; "?" if it is not known.
std::string short_error(double error);

class Session;

/// The error of the energy while a step was shown.
struct EnergyCurve {
  std::string label;                 ///< label of the step
  std::vector<plots::Point> points;  ///< simulated time since the step began, |dE / E|
};

/// Plays a demonstration on the session, a frame at a time: sets what a step says, moves the camera, waits.
class DemoRun {
 public:
  using Clock = std::chrono::steady_clock;
  /// Callbacks to the owner.
  struct Hooks {
    /// The part that charts and texts of the present step leave free; null: the whole picture.
    std::function<DemoRoom()> room;
    std::function<void()> leave;  ///< before a step is left: what it shows can be kept
  };

  /// Waits until a dataset has been opened after the first `openings` ones. `by_itself`: a step whose wait is
  /// over gives way to the next.
  void start(Demo demo, std::vector<lab::Ladder> ladders, bool by_itself, std::uint64_t openings = 0);
  /// Call once per frame, after session and switching. Throws sim::Error where a step names what does not
  /// exist; the demonstration has ended then. Ends also when another dataset opens.
  void update(Session& session, const Switching& switching, const Hooks& hooks, Clock::time_point now);
  /// The next step in the next frame, ready or not; after the last one the end.
  void go_on() { next_wanted_ = true; }
  /// Ends the demonstration; the session stays as it is.
  void end() { phase_ = Phase::idle; }

  bool running() const { return phase_ != Phase::idle; }
  /// True while the dataset is waited for.
  bool loading() const { return phase_ == Phase::loading; }
  /// True while a step is shown.
  bool playing() const { return phase_ == Phase::playing; }
  const Demo& demo() const { return demo_; }
  /// The present step; only while playing.
  const DemoStep& step() const { return steps_[current_].step; }
  std::size_t current() const { return current_; }
  std::size_t count() const { return steps_.size(); }
  /// True if some step is measured: then a rate is what it is about.
  bool measures() const;
  /// The plot beside the view: that of the step, or the one that suits the demonstration.
  DemoPlot plot() const;
  /// The elapsed fraction of the step's time, 0 to 1. At 1 the step may still wait for a median.
  double progress(Clock::time_point now) const;
  /// True until the first measured step has its result, or where none is measured in the first step: what is
  /// switched before that is where all begins.
  bool sets_the_scene() const { return running() && (measures() ? results_.empty() : current_ == 0); }
  /// True when time and measurement are over.
  bool ready() const { return ready_; }
  bool waits_for_median() const { return waits_; }
  /// The part of a long force evaluation that is done, 0 to 1; 0: not known.
  double part_done() const { return part_done_; }
  /// Seconds since the bodies moved last.
  double standing_still(Clock::time_point now) const;
  /// Why the present step could not be set; empty if it was.
  const std::string& refusal() const { return refusal_; }
  /// The results of the completed steps.
  const std::vector<DemoResult>& results() const { return results_; }
  /// The result of the present step as far as it is known; no value: it is not measured, or not yet.
  const std::optional<DemoResult>& present() const { return present_; }
  /// The energy curve of each step that showed one.
  const std::vector<EnergyCurve>& energy() const { return energy_; }

 private:
  enum class Phase { idle, loading, playing };
  void begin(Session& session, const Hooks& hooks, Clock::time_point now);
  void enter(Session& session, const Hooks& hooks, Clock::time_point now);
  void set_options(Session& session);
  void wait(const Session& session, const Switching& switching, Clock::time_point now);
  void note_energy(const Session& session);
  DemoResult result(const Session& session, const Switching& switching) const;

  Demo demo_;
  std::vector<lab::Ladder> ladders_;
  std::vector<ReadyStep> steps_;
  Phase phase_ = Phase::idle;
  bool by_itself_ = false, next_wanted_ = false, ready_ = false, waits_ = false, entered_ = false,
       compares_ = false;
  std::size_t current_ = 0;
  std::uint64_t opening_ = 0;
  std::string refusal_;
  std::vector<DemoResult> results_;
  std::optional<DemoResult> present_;
  std::vector<EnergyCurve> energy_;
  Clock::time_point since_{}, moved_at_{};
  double start_time_ = 0.0, time_ = 0.0;  ///< simulated, when the step began and now
  double part_done_ = 0.0;
  std::uint64_t old_baseline_ = 0;  ///< drifts counted from this baseline are of the run before a reset
  std::uint64_t steps_seen_ = 0;
  DemoCameraman camera_;
};

}  // namespace orrery::app
