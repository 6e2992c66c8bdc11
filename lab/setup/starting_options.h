#pragma once

#include <string>
#include <vector>

#include "lab/setup/dataset.h"
#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

// From a dataset and the options that were assigned to a configuration that can be run.
namespace orrery::lab {

/// For commands without a log: says on standard error what reading a file assumed, repaired or ignored.
void report_notes(const DatasetRequest& request, const sim::Scene& scene);

/// Sets the options that suit the scene: force law and its strengths, softening, time step, integrator,
/// dimensions, speed, size of the bodies. Where they were suggested because the file has none, time step and
/// speed follow the G that `assignments` will set. In an external field that they set the step is short
/// enough for it.
void apply_scene(sim::Configuration& configuration, const sim::Scene& scene,
                 const std::vector<std::string>& assignments = {});
/// Sets what the command line assigned, in order. Throws sim::UsageError.
void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments);

/// The context that option conflicts are judged in.
sim::OptionContext option_context(const sim::Scene& scene);

}  // namespace orrery::lab
