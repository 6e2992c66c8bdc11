#include "sim/cpu/tree/tree_forces.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/curve_share.h"
#include "sim/cpu/tree/galaxy_groups.h"

namespace orrery::sim {

namespace {

struct TreeMemory final : KernelMemory {
  /// One tree per galaxy if trees are kept, else one that all galaxies use in turn.
  std::vector<Octree> trees;
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

bool is_any_active(const ForceProblem& problem, BodyRange bodies) {
  const auto active = problem.active.subspan(bodies.first, bodies.size());
  return std::ranges::find(active, 1) != active.end();
}

/// True if a tree is made also without groups to compute. A worker that moves bodies must know where they are
/// on the curve; and the next groups may be of any galaxy, in the order of the moment that all others keep.
bool must_be_ordered(const ForceProblem& problem, const GalaxyRange& galaxy) {
  return problem.curve != nullptr && (problem.tree.shares_cells() || !problem.targets_in(galaxy).empty());
}

/// The groups of a galaxy to compute here: of all that have targets, or of this worker's share.
BodyRange groups_here(const ForceProblem& problem, const GalaxyRange& galaxy) {
  if (problem.curve != nullptr) return problem.curve->groups_in(galaxy);
  const auto targets = problem.targets_in(galaxy);
  const bool some = !problem.active.empty();
  if (targets.empty() || (some && !is_any_active(problem, targets))) return {};
  return all_groups(problem, galaxy.size());
}

/// A new tree of the galaxy, or the kept one with its bodies where they are now.
void bring_up_to_date(Octree& tree, const ForceProblem& problem, const GalaxyRange& galaxy) {
  const auto position = problem.position.subspan(galaxy.first, galaxy.size());
  const auto mass = problem.mass.subspan(galaxy.first, galaxy.size());
  if (problem.keeps_cells && tree.holds(galaxy.size()))
    tree.move(position, mass, problem.threads);
  else
    tree.build(position, mass, shape_of(problem.tree), problem.threads);
  if (problem.change_tree != nullptr) problem.change_tree(tree);
}

std::uint64_t galaxy_forces(const ForceProblem& problem, const GalaxyRange& galaxy, const Octree& tree,
                            WalkTable& table, BodyRange groups, GroupFunction* sum_group, bool guarded) {
  table.assign(tree.view(), problem.tree, problem.softening_squared, problem.threads);
  GalaxyGroups all{.problem = problem,
                   .galaxy = galaxy,
                   .trees = {tree.position(), tree.view(), table},
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
  TreeMemory own;
  auto& memory = memory_of(problem, own);
  const bool keeps = problem.tree.shares_cells();
  memory.trees.resize(keeps ? problem.galaxies.size() : 1);
  const bool guarded = needs_guard(problem);
  std::uint64_t interactions = 0;
  if (problem.curve != nullptr) problem.curve->begin(problem.galaxies, size_of_groups(problem));
  for (std::size_t k = 0; k < problem.galaxies.size(); ++k) {
    const auto& galaxy = problem.galaxies[k];
    auto& tree = memory.trees[keeps ? k : 0];
    if (!problem.keeps_cells) tree.forget();
    const auto groups = groups_here(problem, galaxy);
    if (groups.empty() && !must_be_ordered(problem, galaxy)) continue;
    if (problem.interrupted()) return false;
    bring_up_to_date(tree, problem, galaxy);
    if (problem.curve != nullptr) problem.curve->note_order(galaxy, tree.order());
    if (!groups.empty())
      interactions += galaxy_forces(problem, galaxy, tree, memory.table, groups, sum_group, guarded);
  }
  if (problem.interrupted()) return false;
  if (problem.interactions != nullptr) *problem.interactions = static_cast<double>(interactions);
  return true;
}

}  // namespace orrery::sim
