#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/bench/rates.h"
#include "sim/simulation/simulation.h"

namespace orrery::lab {

/// One configuration to be measured while the picture goes on.
struct LiveTask {
  sim::Configuration configuration;
  std::string refusal;  ///< not empty: known beforehand to be refused, and why
};

/// The result of the measurement.
struct LiveResult {
  enum class State { waiting, running, measured, refused, given_up };
  State state = State::waiting;
  double gips_kernel = 0.0;  ///< median over the force evaluations, 1e9 interactions per second
  double gips_frame = 0.0;   ///< all interactions over the time that passed
  double seconds = 0.0;      ///< median time of a force evaluation
  std::string refusal;       ///< refused or given up: why
  Spread spread = {};        ///< of `gips_kernel`, by the evaluations that were seen
  bool busy = false;         ///< other programs used the cores meanwhile

  /// The rate of the force evaluations, to be compared.
  MeasuredSpeed speed() const { return {.median = gips_kernel, .spread = spread, .busy = busy}; }
};

/// Measures one configuration after another from the steps that the simulation publishes anyway. Knows
/// nothing of windows: it is told once a frame what is there, and asks for configurations.
///
/// After a switch it waits until steps obey the new configuration and no kernel is being compiled, leaves out
/// the evaluations that may still be old, and then takes the median. Of a slow one a single evaluation is
/// enough. What takes longer than the patience is given up, which is no refusal.
class LiveMeasurement {
 public:
  using Clock = std::chrono::steady_clock;
  /// Sets a configuration and returns why it is refused, or empty.
  using SwitchTo = std::function<std::string(const sim::Configuration&)>;

  /// The duration of each measurement.
  struct Pace {
    std::chrono::duration<double> each{0.4};
    int samples = 8;  ///< steps seen at least, unless that takes four times as long as `each`
    std::chrono::duration<double> patience{30.0};  ///< without any evaluation: given up
  };

  /// The state of one frame of the window.
  struct Feed {
    const sim::FrameInfo& frame;  ///< frame of the newest step
    std::uint64_t revision;       ///< revision of the controls that were sent last
    bool paused;                  ///< nothing is measured; the present task begins anew afterwards
    Clock::time_point now;
    bool busy = false;  ///< other programs use the cores that compute
  };

  /// Begins with the first task; what was under way is forgotten. Allocates all that is needed.
  void start(std::vector<LiveTask> tasks, Pace pace);
  /// Ends where it stands; results that are there stay.
  void stop();
  /// Call once per frame, after changed controls were sent.
  void update(const Feed& feed, const SwitchTo& switch_to);

  bool running() const { return phase_ != Phase::idle; }
  /// The task that runs or is next; the number of tasks at the end.
  std::size_t current() const { return current_; }
  const std::vector<LiveTask>& tasks() const { return tasks_; }
  const std::vector<LiveResult>& results() const { return results_; }

 private:
  enum class Phase { idle, next, asked, settling, collecting };

  void begin_task(const Feed& feed, const SwitchTo& switch_to);
  void finish_task();
  void refuse(const std::string& reason);
  void give_up();
  void accept(double milliseconds, double interactions, double frame_seconds, const Spread& spread);
  void settle(const Feed& feed);
  void collect(const Feed& feed);
  void restart_window(const Feed& feed);
  double median_ms() const;
  Spread spread() const;

  static constexpr std::size_t most_samples = 512;

  std::vector<LiveTask> tasks_;
  std::vector<LiveResult> results_;
  Pace pace_;
  Phase phase_ = Phase::idle;
  std::size_t current_ = 0;
  std::uint64_t wanted_revision_ = 0;
  Clock::time_point give_up_{};
  Clock::time_point asked_at_{};  ///< since then the present configuration could have computed
  bool seen_ = false;             ///< a step of the new configuration
  sim::StepTimings base_;         ///< when the new configuration was first seen
  sim::StepTimings last_;         ///< seen last
  sim::StepTimings window_base_;  ///< when the window began
  Clock::time_point window_start_{};
  std::array<double, most_samples> samples_{};  ///< milliseconds of force evaluations, a mean of each frame
  std::size_t sample_count_ = 0;
};

}  // namespace orrery::lab
