#include "lab/ladders/ladder_problem.h"

#include <fmt/format.h>

#include "lab/setup/machine.h"
#include "lab/setup/starting_options.h"
#include "sim/core/error.h"
#include "sim/cuda/options/schedule.h"
#include "sim/galaxies/model.h"
#include "sim/ranks/world.h"

namespace orrery::lab {

namespace {

const sim::Option& option_of(const sim::OptionTable& table, const std::string& assignment) {
  return table.at(assignment.substr(0, assignment.find('=')));
}

/// Before anything is measured; load_dataset would say it in the middle of a run.
void check_size(const DatasetRequest& request, std::size_t bodies) {
  const auto* model = sim::find_galaxy_model(request.source);
  if (bodies >= model->minimum_bodies && bodies <= model->maximum_bodies) return;
  throw sim::UsageError(fmt::format("the galaxy '{}' takes {} to {} bodies, not {}", model->name,
                                    model->minimum_bodies, model->maximum_bodies, bodies));
}

}  // namespace

void check_ladder_assignments(const sim::OptionTable& table, const std::vector<std::string>& assignments) {
  auto trial = table.defaults();
  apply_assignments(table, trial, assignments);
  for (const auto& assignment : assignments) {
    const auto& option = option_of(table, assignment);
    if (sim::decides_engine(option) && !sim::belongs_to_machine(option) && option.group != "map")
      throw sim::UsageError(fmt::format(
          "{} has no place here: rungs and verified sets choose kernels and their options; write a ladder "
          "of your own instead",
          assignment));
  }
  if (sim::cuda::devices_of(trial).size() > 1)
    throw sim::UsageError("rungs choose how many GPUs compute, so name one here, as devices=1");
}

LadderProblem::LadderProblem(const sim::OptionTable& table, Ladder ladder, const LadderRequest& request,
                             std::size_t bodies)
    : table_(table),
      ladder_(std::move(ladder)),
      dataset_(request.dataset),
      assignments_(request.assignments) {
  if (dataset_.source.empty()) dataset_.source = ladder_.model;
  if (!request.own_galaxies && resizable()) dataset_.galaxies = static_cast<std::uint32_t>(ladder_.galaxies);
  galaxies_ = dataset_.galaxies;
  bodies_ = resizable() ? dataset_.bodies.value_or(bodies) : scene(0).bodies.size();
  if (resizable()) check_size(dataset_, bodies_);
}

const sim::Scene& LadderProblem::scene(std::size_t bodies) {
  const auto key = resizable() ? bodies : 1;
  if (scene_bodies_ == key) return scene_;
  auto request = dataset_;
  if (resizable()) request.bodies = bodies;
  scene_ = load_dataset(request);
  scene_bodies_ = key;
  report_notes(request, scene_, assignments_);
  auto start = table_.defaults();
  apply_scene(start, scene_, assignments_);
  assign_all(table_, start, assignments_);
  report_time_step(start, scene_, assignments_);
  return scene_;
}

sim::Configuration LadderProblem::configuration(const Rung& rung, const sim::Scene& scene) const {
  auto start = table_.defaults();
  apply_scene(start, scene, assignments_);
  apply_assignments(table_, start, assignments_);
  auto configuration = rung_configuration(table_, ladder_, rung, start);
  // What the command line says of the physics counts for more than what the report says.
  for (const auto& assignment : assignments_)
    if (!sim::belongs_to_machine(option_of(table_, assignment))) table_.assign(configuration, assignment);
  return configuration;
}

std::string LadderProblem::refusal(const Rung& rung) const {
  if (!rung.unavailable.empty()) return rung.unavailable;
  const std::size_t all = resizable() ? bodies_ * galaxies_ : bodies_;
  const sim::OptionContext context{.bodies = all,
                                   .galaxies = galaxies_,
                                   .host_memory = this_machine().memory,
                                   .ranks = static_cast<std::size_t>(sim::world().size())};
  try {
    table_.check(configuration(rung, {}), context);
  } catch (const sim::UsageError& error) {
    return error.what();
  }
  return {};
}

}  // namespace orrery::lab
