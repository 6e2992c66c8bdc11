#pragma once

#include <string>
#include <vector>

#include "lab/setup/dataset.h"
#include "sim/options/configuration.h"
#include "sim/scene/scene.h"

// From a dataset and the options that were assigned to a configuration that can be run.
namespace orrery::lab {

/// True if `assignment` (NAME=VALUE) is of the option.
bool chooses(const std::string& assignment, const std::string& option);
/// True if one of the assignments is of the option.
bool chooses(const std::vector<std::string>& assignments, const std::string& option);

/// Notes on what reading the scene assumed, repaired or ignored, and why it gets the time step that
/// apply_scene sets.
std::vector<std::string> notes_of(const sim::Scene& scene, const std::vector<std::string>& assignments);

/// Reports the notes of files on standard error, for commands without a log.
void report_notes(const DatasetRequest& request, const sim::Scene& scene,
                  const std::vector<std::string>& assignments);

/// Why the CPU computes on a machine that seems to have an NVIDIA GPU, and what would help; empty if
/// the GPU computes, there is none, or the engine was chosen.
std::string idle_gpu_note(const sim::Configuration& configuration,
                          const std::vector<std::string>& assignments);
/// Says that note on standard error.
void report_idle_gpu(const sim::Configuration& configuration, const std::vector<std::string>& assignments);

/// Sets the options that suit the scene: force law and its strengths, softening, time step, integrator,
/// dimensions, speed, size of the bodies. Time step and speed follow the G and the external field that
/// `assignments` will set (sim::suggest_motion).
void apply_scene(sim::Configuration& configuration, const sim::Scene& scene,
                 const std::vector<std::string>& assignments = {});
/// Sets what the command line assigned, in order. Throws sim::UsageError.
void assign_all(const sim::OptionTable& table, sim::Configuration& configuration,
                const std::vector<std::string>& assignments);
/// As assign_all, and then starts the GPU if it is to compute, which takes a quarter of a second. If it fails
/// and the engine was not chosen, the CPU computes.
void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments);

/// A line about a time step that is hardly meant: 0, far longer than what the bodies allow, too short to move
/// them, or, as a reminder, negative. Otherwise empty.
std::string time_step_doubt(const sim::Configuration& configuration, const sim::Scene& scene);
/// The note on the time step if the assignments contain one, else empty.
std::string time_step_note(const sim::Configuration& configuration, const sim::Scene& scene,
                           const std::vector<std::string>& assignments);
/// Says that note on standard error.
void report_time_step(const sim::Configuration& configuration, const sim::Scene& scene,
                      const std::vector<std::string>& assignments);

/// The context that option conflicts are judged in.
sim::OptionContext option_context(const sim::Scene& scene);

}  // namespace orrery::lab
