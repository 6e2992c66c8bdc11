#pragma once

#include <cstdint>
#include <functional>

#include "app/run/job.h"
#include "app/run/kept_states.h"
#include "sim/engines/engine.h"
#include "sim/simulation/energy_watch.h"
#include "sim/simulation/error_watch.h"

// The steps of `orrery render`.
namespace orrery::app {

/// The steps of a run, with their forces.
struct StepWork {
  double kernel_ms = 0.0;     ///< time of the measured force evaluations; 0 if none was measured
  double seconds = 0.0;       ///< without pictures
  double interactions = 0.0;  ///< interactions of the measured evaluations
  std::uint64_t steps = 0;
  double summed = 0.0;  ///< interactions of all evaluations

  /// A step.
  void add(const sim::StepTimings& before, const sim::StepTimings& after) {
    kernel_ms += after.ms_since(before);
    interactions += after.timed_since(before);
    summed += after.summed_since(before);
    ++steps;
  }
};

/// Called with intermediate states, after the given number of steps.
using AtStep = std::function<void(std::uint64_t step)>;

/// The outputs of a run, and the watches of its forces and its energy.
struct RunOutputs {
  RunSeries& series;
  RunCheckpoints& checkpoints;
  sim::ErrorWatch* errors;   ///< null: nothing is computed
  sim::EnergyWatch* energy;  ///< null: nothing is computed
};

/// Steps up to the job's last one, and hands intermediate states to `at_step`. Ends early, after a complete
/// step, when a person interrupts. A GPU that fails ends the run with sim::Error, and the last complete state
/// is kept.
StepWork run_or_rescue(sim::Engine& engine, RenderJob& job, const RunOutputs& keeping, const AtStep& at_step);

/// Prints what was computed, and how fast.
void report_work(const RenderJob& job, const sim::EngineReport& engine, const StepWork& work,
                 const std::string& energy);

}  // namespace orrery::app
