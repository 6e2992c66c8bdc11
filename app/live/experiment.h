#pragma once

#include "lab/bench/live_measurement.h"

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
  sim::Configuration asked_;  ///< configuration that the session should be computing with
  bool asked_any_ = false;
  std::uint64_t opening_ = 0;
};

}  // namespace orrery::app
