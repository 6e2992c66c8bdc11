#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "sim/core/triple_buffer.h"
#include "sim/engines/engine.h"

namespace orrery::sim {

/// Three targets, for the thread that steps and the one that draws.
using TargetRing = std::array<VertexTarget, SlotExchange::slots>;

/// The facts about a published step.
struct FrameInfo {
  double time = 0.0;        ///< simulated
  std::uint64_t steps = 0;  ///< since load or reset
  StepTimings timings;
  std::chrono::steady_clock::time_point known_at{};  ///< when `timings` were read
  /// Timings when the controls of `revision` were obeyed first. On a CPU all later evaluations are of these
  /// controls; of a device some that were queued before may follow.
  StepTimings timings_before;
  EngineReport report;   ///< report of the engine that computes
  double step_ms = 0.0;  ///< the whole step with publishing and checks
  std::string problem;   ///< not empty: the engine refused or failed, and why; the state is the last good one
  std::uint64_t resets = 0;  ///< number of resets before this state
  std::uint64_t baseline =
      0;  ///< drifts are counted from this one: Health::baseline reaches it when it is known
  std::uint64_t revision = 0;  ///< revision of the controls that it was computed with
  /// The activity map of the step; size 0: none. It is in the slot of the device ring where `host_map` is
  /// null, else there, in the form of VertexTarget::map, and valid as long as the slot.
  MapSpec map;
  const float* host_map = nullptr;
  bool on_device = false;  ///< the state is in the slot of the device ring, not in that of the host ring
  const TargetRing* device_ring = nullptr;  ///< the one in use since this frame
  /// The newest one while Control::timeline asks for them, at most two a second; null: none yet, or the
  /// engine cannot tell.
  std::shared_ptr<const Timeline> timeline;
};

}  // namespace orrery::sim
