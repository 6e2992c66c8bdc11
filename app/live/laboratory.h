#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/bench/live_measurement.h"
#include "lab/ladders/ladder.h"
#include "lab/setup/dataset.h"
#include "lab/sweeps/sweep.h"
#include "sim/options/configuration.h"

namespace orrery::app {

class Session;

/// Runs a live measurement on the session: one at a time, for the ladder or for the sweep. It sets the
/// configurations, unpauses, and afterwards puts back what is to be put back.
class Experiment {
 public:
  /// The steps to run.
  struct Plan {
    const void* owner = nullptr;  ///< the requester; tells the panels whose results these are
    std::vector<lab::LiveTask> tasks;
    lab::LiveMeasurement::Pace pace;
    bool full_speed = false;  ///< unpaused and as fast as it goes; both are put back at the end
    bool restore = false;     ///< at the end the previous configuration computes again
  };

  /// Replaces what is under way, which is put back first where its plan says so.
  void start(Session& session, Plan plan);
  /// Ends early; puts back as at the end.
  void stop(Session& session);
  /// Call once per frame, after the session's update. Ends when another dataset opens or the person switches
  /// something that computes; that then stays. `busy`: other programs use the cores that compute.
  void update(Session& session, bool busy);

  bool running() const { return live_.running(); }
  bool running_for(const void* owner) const { return running() && plan_.owner == owner; }
  /// The owner of the results, also after the end.
  const void* owner() const { return plan_.owner; }
  const lab::LiveMeasurement& live() const { return live_; }
  /// The options when it was started.
  const sim::Configuration& before() const { return before_; }

 private:
  std::string switch_to(Session& session, const sim::Configuration& configuration);
  void put_back(Session& session, bool computing);

  lab::LiveMeasurement live_;
  Plan plan_;
  sim::Configuration before_;
  bool paused_before_ = false;
  std::optional<sim::Configuration> asked_;  ///< what the session should be computing with
  std::uint64_t opening_ = 0;
};

/// Physics that a ladder's rung has set in place of the person's own, until it is given back. An option that
/// the person changes meanwhile is the person's again, and is not given back.
class PhysicsOverride {
 public:
  /// One option: what the person had and what the rung set.
  struct Item {
    std::string option;
    sim::OptionValue own;
    sim::OptionValue lent;
  };

  /// Notes after a rung was set that what differs from `before` is lent. What an earlier rung lent stays so.
  void lend(const Session& session, const sim::Configuration& before, const std::string& rung);
  /// Forgets what is no longer as the rung set it. Call once per frame.
  void update(const Session& session);
  /// Gives all back. If the person's physics cannot run with the present engine or kernel, these go back too.
  void restore(Session& session);
  /// Ends the override: the present settings stay with the user.
  void forget() { items_.clear(); }

  bool active() const { return !items_.empty(); }
  const std::string& rung() const { return rung_; }
  const std::vector<Item>& items() const { return items_; }

 private:
  std::vector<Item> items_;
  std::string rung_;
  sim::Configuration before_;  ///< all of it, when the first was lent
};

/// A rung as it is on the present dataset.
struct RungState {
  std::string refusal;       ///< not empty: it cannot run here, and why
  bool measured = false;     ///< true if it was measured in this session, on the present dataset
  lab::MeasuredSpeed speed;  ///< last measured speed of the forces, 1e9 interactions per second
  double gips_frame = 0.0;
  double seconds = 0.0;  ///< time of a force evaluation, which for most integrators is a step
  std::string too_slow;  ///< not empty: no evaluation came to its end, and how long it was waited for
};

/// The chosen ladder, the present rung, and the measurements of each rung.
class LadderClimb {
 public:
  /// The ladders to choose from.
  void set_ladders(std::vector<lab::Ladder> ladders);
  /// Call once per frame: takes results, and forgets them with the dataset that they belong to.
  void update(const Session& session, const Experiment& experiment);
  /// Ends measuring and gives back what a rung lent, before another dataset opens with physics of its own.
  /// `sets_all`: what opens is a state, which sets every option.
  void leave(Session& session, Experiment& experiment, bool sets_all);

  const std::vector<lab::Ladder>& ladders() const { return ladders_; }
  std::size_t chosen() const { return chosen_; }
  /// Chooses a ladder. Until then it is the ladder that runs here as far as any.
  void choose(std::size_t ladder);
  /// Needs a ladder.
  const lab::Ladder& ladder() const { return ladders_[chosen_]; }
  const std::vector<RungState>& rungs() const { return rungs_; }
  /// The rung whose configuration was set last.
  std::optional<std::size_t> rung() const { return rung_; }

  /// Climbs to the next rung that is not refused, up (1) or down (-1); refused ones on the way are logged.
  /// The rung is then measured for a second.
  void climb(Session& session, Experiment& experiment, int direction);
  /// Climbs to that rung; a refusal is logged.
  void climb_to(Session& session, Experiment& experiment, std::size_t rung);
  /// The physics that a rung set in place of the person's, for the banner.
  const PhysicsOverride& loan() const { return loan_; }
  /// The person's physics again; measuring ends.
  void restore_physics(Session& session, Experiment& experiment);
  /// Measures every rung that runs here for about a second, from the first to the last, and restores
  /// everything afterwards.
  void climb_all(Session& session, Experiment& experiment);
  /// The scene that the ladder's report measured.
  lab::DatasetRequest own_scene() const;

 private:
  void judge(const Session& session);
  void forget();
  void choose_for(const Session& session);
  void log_skipped(std::ptrdiff_t first, std::ptrdiff_t end, int direction) const;
  std::vector<lab::LiveTask> tasks(const Session& session) const;
  void take(const lab::LiveResult& result, std::size_t rung);
  void follow(const Session& session, const Experiment& experiment);

  std::vector<lab::Ladder> ladders_;
  std::size_t chosen_ = 0;
  std::vector<RungState> rungs_;
  std::optional<std::size_t> rung_;
  PhysicsOverride loan_;
  std::uint64_t opening_ = 0;
  bool by_hand_ = false;  ///< the ladder is chosen: by the person, or because it runs here
  bool judged_ = false;
  bool results_fit_ = false;    ///< the experiment's results are of the chosen ladder
  std::size_t first_task_ = 0;  ///< the rung of the experiment's first task
};

/// A sweep of two options, measured live on the present dataset.
class LiveSweep {
 public:
  /// Call once per frame: takes results, and forgets them with the dataset that they belong to.
  void update(const Session& session, const Experiment& experiment);

  /// True for the options to choose from: those of the present engine that have values to try.
  static bool is_candidate(const Session& session, const sim::Option& option);
  /// Rows and columns of the next sweep; empty until chosen.
  std::string rows, columns;
  /// True if both are chosen and differ.
  bool can_start() const { return !rows.empty() && !columns.empty() && rows != columns; }

  /// Measures every combination around the present configuration; a sweep under way is given up.
  void start(Session& session, Experiment& experiment);
  /// Sets the configuration of a cell; what is under way ends.
  void apply(Session& session, Experiment& experiment, std::size_t cell);

  /// The sweep that is under way or was last; empty before the first.
  const std::optional<lab::Sweep>& sweep() const { return sweep_; }
  /// The largest and smallest measured rate, for the colours.
  double fastest() const { return fastest_; }
  double slowest() const { return slowest_; }

 private:
  std::optional<lab::Sweep> sweep_;
  double fastest_ = 0.0, slowest_ = 0.0;
  std::uint64_t opening_ = 0;
};

/// The live experiments: the ladder and the sweep share one.
struct Laboratory {
  Experiment experiment;
  LadderClimb ladder;
  LiveSweep sweep;

  /// Call before another dataset opens; `sets_all` as in LadderClimb::leave.
  void leave(Session& session, bool sets_all) { ladder.leave(session, experiment, sets_all); }

  /// Call once per frame, after the session's update. `busy`: other programs use the cores that compute.
  void update(Session& session, bool busy) {
    experiment.update(session, busy);
    ladder.update(session, experiment);
    sweep.update(session, experiment);
  }
};

}  // namespace orrery::app
