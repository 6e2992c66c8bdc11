#include "sim/cpu/tree/tree_forces.h"

#include <memory>

#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/curve_share.h"
#include "sim/cpu/tree/domain_forces.h"
#include "sim/cpu/tree/galaxy_groups.h"

namespace orrery::sim {

namespace {

struct TreeMemory final : KernelMemory {
  Octree tree;
  WalkTable table;
};

/// Those of the evaluation before, or `own` where nothing is kept.
TreeMemory& memory_of(const ForceProblem& problem, TreeMemory& own) {
  if (problem.memory == nullptr) return own;
  auto* memory = dynamic_cast<TreeMemory*>(problem.memory->get());
  if (memory == nullptr) {
    auto fresh = std::make_unique<TreeMemory>();
    memory = fresh.get();
    *problem.memory = std::move(fresh);
  }
  return *memory;
}

/// The groups of a galaxy to compute here: of all that have targets, or of this worker's share.
BodyRange groups_here(const ForceProblem& problem, const GalaxyRange& galaxy) {
  if (problem.curve != nullptr) return problem.curve->groups_in(galaxy);
  return problem.targets_in(galaxy).empty() ? BodyRange{} : all_groups(problem, galaxy.size());
}

std::uint64_t galaxy_forces(const ForceProblem& problem, const GalaxyRange& galaxy, TreeMemory& memory,
                            BodyRange groups, GroupFunction* sum_group, bool guarded) {
  const auto& tree = memory.tree;
  const auto& table = memory.table;
  memory.table.assign(tree.view(), problem.tree, WalkUnits(tree.nodes()[0], problem.softening_squared),
                      problem.softening_squared, problem.threads);
  GalaxyGroups all{.problem = problem,
                   .galaxy = galaxy,
                   .trees = {tree.position(), tree.view(), table, {}},
                   .order = tree.order(),
                   .sum_group = sum_group,
                   .guarded = guarded,
                   .targets = problem.targets_in(galaxy)};
  if (auto* curve = problem.curve; curve != nullptr) {
    all.targets = {galaxy.first, galaxy.last};
    all.places = curve->acceleration().subspan(galaxy.first, galaxy.size());
    all.note_work = [&, curve](std::size_t group, double work) { curve->note_work(galaxy, group, work); };
  }
  return sum_groups(all, groups);
}

}  // namespace

bool tree_forces(const ForceProblem& problem, GroupFunction* sum_group) {
  if (problem.domain != nullptr) return problem.domain->evaluate(problem, sum_group);
  TreeMemory own;
  auto& memory = memory_of(problem, own);
  auto& tree = memory.tree;
  const bool guarded = needs_guard(problem);
  std::uint64_t interactions = 0;
  if (problem.curve != nullptr) problem.curve->begin(problem.galaxies, size_of_groups(problem));
  for (const auto& galaxy : problem.galaxies) {
    const auto groups = groups_here(problem, galaxy);
    // A worker that moves bodies must know where they are on the curve.
    if (groups.empty() && problem.targets_in(galaxy).empty()) continue;
    if (problem.interrupted()) return false;
    tree.build(problem.position.subspan(galaxy.first, galaxy.size()),
               problem.mass.subspan(galaxy.first, galaxy.size()), shape_of(problem.tree), problem.threads);
    if (problem.change_tree != nullptr) problem.change_tree(tree);
    if (problem.curve != nullptr) problem.curve->note_order(galaxy, tree.order());
    if (!groups.empty()) interactions += galaxy_forces(problem, galaxy, memory, groups, sum_group, guarded);
  }
  if (problem.interrupted()) return false;
  if (problem.interactions != nullptr) *problem.interactions = static_cast<double>(interactions);
  return true;
}

}  // namespace orrery::sim
