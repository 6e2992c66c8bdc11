#pragma once

#include <optional>
#include <utility>

#include "sim/engines/engine.h"

namespace orrery::sim {

/// Samples and timelines that were requested of the CPU engine and not taken yet.
class RequestedSamples {
 public:
  void request(const SampleRequest& wanted) {
    wants_timeline_ = wants_timeline_ || wanted.timeline;
    if (wanted.forces > 0) wanted_ = wanted;
  }
  bool wants_forces() const { return wanted_.forces > 0; }
  const SampleRequest& wanted() const { return wanted_; }
  bool wants_timeline() const { return wants_timeline_; }

  void give(ForceSample sample) { sample_ = std::move(sample); }
  void give(std::optional<Timeline> timeline) {
    timeline_ = std::move(timeline);
    wants_timeline_ = false;
  }
  /// Forces that are asked for from now on are those of the next step.
  void end_step() { wanted_ = {}; }
  /// Drops the sample of forces, because other bodies were loaded.
  void drop_forces() { sample_.reset(); }
  Samples take() {
    return {.forces = std::exchange(sample_, std::nullopt),
            .timeline = std::exchange(timeline_, std::nullopt)};
  }

 private:
  SampleRequest wanted_;  ///< forces: 0 if none are
  bool wants_timeline_ = false;
  std::optional<ForceSample> sample_;
  std::optional<Timeline> timeline_;
};

}  // namespace orrery::sim
