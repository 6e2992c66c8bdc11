#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/engines/engine.h"
#include "sim/options/configuration.h"
#include "sim/series/series_recorder.h"

namespace orrery::app {

/// The series of states that a run without a window writes (--series), or none.
class RunSeries {
 public:
  /// Writes a first file for a trial. Throws UsageError under mpirun, Error for a folder that cannot be used.
  RunSeries(const sim::SeriesRequest& request, const sim::Scene& scene,
            const sim::Configuration& configuration);

  /// Asks the engine for the forces of the step that comes, if its state is one of the series; true if it
  /// does.
  bool before_step(sim::Engine& engine, std::uint64_t steps);
  /// Takes the forces that the engine sampled.
  void take(const sim::ForceSample& sample);
  /// Takes the state after `steps` steps. Throws Error when a file could not be written.
  void after_step(sim::Engine& engine, std::uint64_t steps);
  /// Announces a new configuration: from now on these options compute.
  void compute_with(const sim::Configuration& configuration);
  /// Waits for the last files.
  void finish();
  /// Prints what was written where, and by whom the forces were computed.
  void report() const;

 private:
  std::string forces_text(const sim::SeriesProgress& progress) const;

  sim::Physics physics_;
  std::string label_;
  std::optional<sim::SeriesRecorder> recorder_;
};

}  // namespace orrery::app
