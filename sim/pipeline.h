#pragma once

#include <string>
#include <vector>

#include "sim/engine.h"
#include "sim/timeline.h"

namespace orrery::sim {

/// What one galaxy took on its way through the pipeline: the stages of tables 3 and 4 of the ECE415 report.
struct PipelineStage {
  double copy_in_ms = 0.0;
  double forces_ms = 0.0;  ///< all of its steps: forces and updates
  double copy_out_ms = 0.0;
  int galaxy = 0;
  int device = 0;
  int stream = 0;
};

/// One run of all galaxies from the host to the devices, through the steps, and back.
struct PipelineResult {
  std::string schedule;  ///< as in --set schedule=NAME
  int streams = 0;       ///< of each device
  bool pinned = false;   ///< host memory that devices copy without help
  int steps = 0;
  std::vector<std::string> devices;  ///< names, by ordinal
  double total_ms = 0.0;             ///< host -> device -> steps -> host, everything
  /// Time in which at least one force or update kernel ran: the union of their spans, averaged over devices.
  double compute_ms = 0.0;
  double exposed_copy_ms = 0.0;         ///< time in which only copies ran: what is not hidden
  double interactions = 0.0;            ///< of all steps
  std::vector<PipelineStage> galaxies;  ///< in the order of their numbers
  Timeline timeline;
  KernelReport kernel;
};

}  // namespace orrery::sim
