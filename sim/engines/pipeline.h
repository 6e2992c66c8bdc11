#pragma once

#include <string>
#include <vector>

#include "sim/activity/activity_map.h"
#include "sim/core/progress.h"
#include "sim/engines/engine.h"
#include "sim/engines/timeline.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// Costs of one galaxy in an offline job (ECE415 2025, tables 3 and 4): times on the device between its own
/// events, so that streams that work at the same time overlap. With one launch for all galaxies there is one
/// entry, galaxy -1.
struct PipelineStage {
  double copy_in_ms = 0.0;
  double forces_ms = 0.0;  ///< from the first force kernel to the last update
  double copy_out_ms = 0.0;
  int galaxy = 0;
  int device = 0;
  int stream = 0;
};

/// An offline job: host -> device -> steps -> host, of every galaxy.
struct PipelineResult {
  std::string schedule;
  int streams = 1;
  bool pinned = true;
  int steps = 0;
  std::vector<std::string> devices;  ///< names by ordinal; empty for those that had nothing to do
  double total_ms = 0.0;             ///< everything, by the host's clock: median of the repetitions
  double traced_ms = 0.0;   ///< duration of the repetition with events, which cost time: longer than total_ms
  double compute_ms = 0.0;  ///< part of traced_ms in which a kernel ran: union of spans, mean of the devices
  /// Part of traced_ms in which only copies ran and were not hidden; mean of the devices.
  double exposed_copy_ms = 0.0;
  double interactions = 0.0;  ///< interactions of all steps together
  std::vector<PipelineStage> galaxies;
  Timeline timeline;    ///< timeline of one repetition
  EngineReport report;  ///< report of the first device
  Bodies result;        ///< the state after the steps
  MapSpec map;          ///< map that was counted; size 0: none
  /// True if every step counted a map, because all bodies move at a time (one galaxy, or schedule=batched),
  /// as COM4521 does; else the last step of each galaxy was counted.
  bool map_every_step = false;
  /// Map of the last step, in the form of VertexTarget::map; copied after the job.
  std::vector<float> map_values;
};

/// Runs the offline job on the CUDA devices of `configuration`, with its schedule, streams and host memory:
/// once to warm up, then `repetitions` times. The devices share whole galaxies. With map-size the activity
/// map is counted too. `progress` may be null; else it is told how far the repetitions are and can stop them.
/// Throws Error, UsageError and Cancelled.
PipelineResult run_pipeline(const OptionTable& table, const Configuration& configuration, const Scene& scene,
                            int steps, int repetitions = 5, Progress* progress = nullptr);

/// Time of total_ms in which kernels ran, by the share of the traced repetition.
double kernel_ms(const PipelineResult& result);

/// Fills in traced_ms, compute_ms, exposed_copy_ms and `galaxies` from the timeline.
void summarize(PipelineResult& result);

}  // namespace orrery::sim
