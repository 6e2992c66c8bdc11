#include "lab/setup/starting_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "lab/setup/machine.h"
#include "sim/core/error.h"
#include "sim/cuda/driver/availability.h"
#include "sim/cuda/driver/device.h"
#include "sim/cuda/options/schedule.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/ranks/world.h"
#include "sim/scene/suggest.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::lab {

namespace {

/// Few bodies are drawn larger: 1.6 pixels from 2000 bodies on, 7 for a handful.
double suggested_size(const sim::Bodies& bodies) {
  const double galaxies = bodies.empty() ? 1.0 : bodies.galaxy.back() + 1.0;
  const double each = std::max(static_cast<double>(bodies.size()) / galaxies, 1.0);
  return std::round(10.0 * std::clamp(1.6 * std::pow(2000.0 / each, 0.25), 1.6, 7.0)) / 10.0;
}

bool decides_motion(std::string_view assignment) {
  return assignment.starts_with("gravity=") || assignment.starts_with("softening=") ||
         assignment.starts_with("external-field=") || assignment.starts_with("field-");
}

/// The scene's physics with the G, the softening and the external field that the assignments will set; what
/// makes no sense is refused when it is applied.
sim::Physics physics_with(const sim::Scene& scene, const std::vector<std::string>& assignments) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto tried = table.defaults();
  sim::set_physics(tried, scene.physics);
  try {
    for (const auto& assignment : assignments)
      if (decides_motion(assignment)) table.assign(tried, assignment);
  } catch (const sim::UsageError&) {
    return scene.physics;
  }
  return sim::physics_of(tried);
}

/// Time step and speed with what the assignments set.
sim::SuggestedMotion motion_of(const sim::Scene& scene, const std::vector<std::string>& assignments) {
  if (std::ranges::none_of(assignments, decides_motion))
    return {scene.physics.time_step, scene.speed, scene.motion_note, scene.suggested_notes,
            scene.proposed_units};
  return sim::suggest_motion(scene, physics_with(scene, assignments));
}

/// Memory of the first GPU; 0 without a GPU.
std::uint64_t device_memory() {
  static const auto devices = sim::cuda::devices();
  if (!devices.empty()) return devices.front().memory;
  return 0;
}

/// Tries to start the GPUs that are to compute. Where one does not start, the CPU computes, unless the
/// engine was chosen: that is refused later, with the reason.
void leave_gpu_that_does_not_start(sim::Configuration& configuration,
                                   const std::vector<std::string>& assignments) {
  // Of several processes each has a GPU of its own, which is found later.
  if (!sim::is_on_real_gpu(configuration) || sim::world().size() > 1) return;
  const auto wanted = sim::cuda::devices_of(configuration);
  if (!sim::cuda::find_devices().problem.empty() || !sim::cuda::absent_device(wanted).empty()) return;
  const bool starts =
      std::ranges::all_of(wanted, [](int gpu) { return sim::cuda::start_problem(gpu).empty(); });
  if (!starts && !chooses(assignments, "engine")) configuration.set("engine", std::string("cpu"));
}

bool contains(const std::vector<std::string>& notes, const std::string& note) {
  return std::ranges::find(notes, note) != notes.end();
}

}  // namespace

bool chooses(const std::string& assignment, const std::string& option) {
  return assignment.starts_with(option + "=");
}

bool chooses(const std::vector<std::string>& assignments, const std::string& option) {
  return std::ranges::any_of(assignments, [&](const auto& each) { return chooses(each, option); });
}

std::vector<std::string> notes_of(const sim::Scene& scene, const std::vector<std::string>& assignments) {
  const auto motion = motion_of(scene, assignments);
  const bool chosen = chooses(assignments, "time-step");
  auto notes = scene.notes;
  std::erase_if(notes, [&](const std::string& note) { return contains(scene.suggested_notes, note); });
  for (const auto& note : motion.notes)
    if (!chosen || note != motion.note) notes.push_back(note);
  return notes;
}

void report_notes(const DatasetRequest& request, const sim::Scene& scene,
                  const std::vector<std::string>& assignments) {
  if (!is_file(request)) return;
  for (const auto& note : notes_of(scene, assignments)) fmt::print(stderr, "{}\n", note);
}

std::string idle_gpu_note(const sim::Configuration& configuration,
                          const std::vector<std::string>& assignments) {
  if (chooses(assignments, "engine") || !sim::is_on_cpu(configuration)) return {};
  const auto problem = sim::cuda::idle_gpu_problem();
  return problem.empty() ? problem : "the CPU computes, not the GPU: " + problem;
}

void report_idle_gpu(const sim::Configuration& configuration, const std::vector<std::string>& assignments) {
  const auto note = sim::world().rank() == 0 ? idle_gpu_note(configuration, assignments) : std::string();
  if (!note.empty()) fmt::print(stderr, "{}\n", note);
}

void apply_scene(sim::Configuration& configuration, const sim::Scene& scene,
                 const std::vector<std::string>& assignments) {
  const auto motion = motion_of(scene, assignments);
  auto physics = scene.physics;
  physics.time_step = motion.time_step;
  sim::set_physics(configuration, physics);
  configuration.set("speed", motion.speed);
  configuration.set("size", suggested_size(scene.bodies));
}

void assign_all(const sim::OptionTable& table, sim::Configuration& configuration,
                const std::vector<std::string>& assignments) {
  for (const auto& assignment : assignments) table.assign(configuration, assignment);
}

void apply_assignments(const sim::OptionTable& table, sim::Configuration& configuration,
                       const std::vector<std::string>& assignments) {
  assign_all(table, configuration, assignments);
  leave_gpu_that_does_not_start(configuration, assignments);
}

std::string time_step_doubt(const sim::Configuration& configuration, const sim::Scene& scene) {
  // A leapfrog of a few tens of the suggested steps still shows something.
  constexpr double too_long = 50.0, too_short = 1e-5;
  const auto physics = sim::physics_of(configuration);
  const double step = physics.time_step;
  if (step == 0.0) return "the time step is 0: the bodies stand still; set time-step to another number";
  const double suggested = std::abs(sim::suggest_motion(scene, physics).time_step);
  const double times = std::abs(step) / suggested;
  const auto compared = [&](double factor, const char* how) {
    return fmt::format(
        "the time step of {:g} is {:.3g} times as {} as the one suggested for these bodies ({:.3g}): ", step,
        factor, how, suggested);
  };
  if (times > too_long) return compared(times, "long") + "the orbits will be wrong";
  if (times < too_short)
    return compared(1.0 / times, "short") + "the bodies hardly move, and rounding may stop them altogether";
  return step < 0.0 ? "the time step is negative: the bodies move back in time" : "";
}

std::string time_step_note(const sim::Configuration& configuration, const sim::Scene& scene,
                           const std::vector<std::string>& assignments) {
  return chooses(assignments, "time-step") ? time_step_doubt(configuration, scene) : std::string();
}

void report_time_step(const sim::Configuration& configuration, const sim::Scene& scene,
                      const std::vector<std::string>& assignments) {
  const auto note = time_step_note(configuration, scene, assignments);
  if (!note.empty()) fmt::print(stderr, "{}\n", note);
}

sim::OptionContext option_context(const sim::Scene& scene) {
  const auto& galaxy = scene.bodies.galaxy;
  return {.bodies = scene.bodies.size(),
          .galaxies = galaxy.empty() ? 0 : std::size_t{galaxy.back()} + 1,
          .host_memory = this_machine().memory,
          .device_memory = device_memory(),
          .ranks = static_cast<std::size_t>(sim::world().size()),
          .sizes = sim::galaxy_sizes(scene.bodies.galaxies()),
          .lacks_colors = !scene.bodies.has_colors()};
}

}  // namespace orrery::lab
