#pragma once

#include "app/live/experiment.h"
#include "app/live/ladder_climb.h"
#include "app/live/live_sweep.h"

namespace orrery::app {

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
