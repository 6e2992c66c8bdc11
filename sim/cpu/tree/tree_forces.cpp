#include "sim/cpu/tree/tree_forces.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>

#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/curve_share.h"

namespace orrery::sim {

namespace {

struct TreeMemory final : KernelMemory {
  Octree tree;
};

/// The tree of the evaluation before, or `own` where nothing is kept.
Octree& tree_of(const ForceProblem& problem, Octree& own) {
  if (problem.memory == nullptr) return own;
  auto* memory = dynamic_cast<TreeMemory*>(problem.memory->get());
  if (memory == nullptr) {
    auto fresh = std::make_unique<TreeMemory>();
    memory = fresh.get();
    *problem.memory = std::move(fresh);
  }
  return memory->tree;
}

/// What one thread needs to compute groups of one galaxy.
class GroupForces {
 public:
  GroupForces(const ForceProblem& problem, const GalaxyRange& galaxy, const Octree& tree,
              const WalkTable& table, GroupFunction* sum_group, bool guarded)
      : problem_(problem),
        galaxy_(galaxy),
        targets_(problem.curve != nullptr ? BodyRange{galaxy.first, galaxy.last}
                                          : problem.targets_in(galaxy)),
        tree_(tree),
        sum_group_(sum_group),
        walk_(tree, table, problem.tree, problem.instruction_set()) {
    task_.softening_squared = problem.softening_squared;
    task_.guarded = guarded;
  }

  /// The accelerations of the bodies [first, first + count) of the curve. A group among many others that it
  /// holds in its box, as in a sparse halo around a core, is divided, so that most of its bodies do not meet
  /// all of them.
  void compute(std::size_t first, std::size_t count) {
    constexpr std::size_t smallest = 8, most_bodies = 4096;
    const std::size_t targets = count_targets(first, count);
    if (targets == 0) return;
    const auto most = count <= smallest ? std::numeric_limits<std::size_t>::max() : most_bodies;
    if (!walk_.collect(first, count, most, sources_)) {
      compute(first, count / 2);
      return compute(first + count / 2, count - count / 2);
    }
    gather(first, count);
    sum_group_(task_);
    scatter(first, count);
    interactions_ += targets * (sources_.bodies.size() + sources_.cells.size()) + sources_.far_count;
    work_ += work_of_group();
  }

  std::uint64_t interactions() const { return interactions_; }
  /// What all groups have cost, in sums over a body for a whole group.
  double work() const { return work_; }

 private:
  std::size_t body(std::size_t place) const { return galaxy_.first + tree_.order()[place]; }
  bool is_target(std::size_t body) const { return body >= targets_.first && body < targets_.last; }

  /// In about the ratio of their times: with this, workers that share a sphere or a disk differ by 2 to 4 %.
  double work_of_group() const {
    constexpr double group = 100.0, cell = 2.5, far_cell = 0.5;
    return group + static_cast<double>(sources_.bodies.size()) +
           cell * static_cast<double>(sources_.cells.size()) +
           far_cell * static_cast<double>(sources_.far_count);
  }

  std::size_t count_targets(std::size_t first, std::size_t count) const {
    if (targets_.first == galaxy_.first && targets_.last == galaxy_.last) return count;
    std::size_t targets = 0;
    for (std::size_t k = first; k < first + count; ++k) targets += is_target(body(k)) ? 1 : 0;
    return targets;
  }

  /// The lanes behind the last body repeat it.
  void gather(std::size_t first, std::size_t count) {
    const auto& center = walk_.center();
    for (std::size_t k = 0; k < most_group; ++k) {
      const Vec3 d = tree_.position()[first + std::min(k, count - 1)] - center;
      task_.x[k] = d.x, task_.y[k] = d.y, task_.z[k] = d.z;
    }
    task_.count = count;
    task_.bodies = sources_.bodies.data();
    task_.body_count = sources_.bodies.size();
    task_.cells = sources_.cells.data();
    task_.cell_count = sources_.cells.size();
    for (std::size_t k = 0; k < sources_.far.size(); ++k) task_.far[k] = sources_.far[k].data();
    task_.far_count = sources_.far_count;
    const Vec3 middle = sources_.middle - center;
    task_.middle[0] = middle.x, task_.middle[1] = middle.y, task_.middle[2] = middle.z;
    task_.radius = sources_.radius;
  }

  void scatter(std::size_t first, std::size_t count) const {
    const float g = problem_.gravitational_constant;
    const auto of_task = [&](std::size_t k) {
      return Vec3{g * task_.ax[k], g * task_.ay[k], g * task_.az[k]};
    };
    if (problem_.curve != nullptr) {
      const auto places = problem_.curve->acceleration().subspan(galaxy_.first + first, count);
      for (std::size_t k = 0; k < count; ++k) places[k] = of_task(k);
      return;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = body(first + k);
      if (is_target(i)) problem_.acceleration[i] = of_task(k);
    }
  }

  const ForceProblem& problem_;
  const GalaxyRange& galaxy_;
  BodyRange targets_;
  const Octree& tree_;
  GroupFunction* sum_group_;
  GroupWalk walk_;
  GroupSources sources_;
  GroupTask task_;
  std::uint64_t interactions_ = 0;
  double work_ = 0.0;
};

std::size_t size_of_groups(const ForceProblem& problem) {
  return std::clamp<std::size_t>(problem.tree.group_size, 1, most_group);
}

/// The groups of a galaxy to compute here: of all that have targets, or of this worker's share.
BodyRange groups_here(const ForceProblem& problem, const GalaxyRange& galaxy) {
  if (problem.curve != nullptr) return problem.curve->groups_in(galaxy);
  const std::size_t size = size_of_groups(problem);
  return {0, problem.targets_in(galaxy).empty() ? 0 : (galaxy.size() + size - 1) / size};
}

/// These groups of one galaxy, on all threads. What is thrown in a parallel region must not leave it.
std::uint64_t galaxy_forces(const ForceProblem& problem, const GalaxyRange& galaxy, const Octree& tree,
                            BodyRange groups, GroupFunction* sum_group, bool guarded) {
  const std::size_t bodies = galaxy.size(), size = size_of_groups(problem);
  const WalkTable table(tree, problem.tree, problem.softening_squared, problem.threads);
  std::atomic<std::uint64_t> interactions = 0;
  std::atomic<bool> no_memory = false;
#pragma omp parallel num_threads(groups.size() > 1 ? problem.threads : 1)
  {
    GroupForces forces(problem, galaxy, tree, table, sum_group, guarded);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t k = groups.first; k < groups.last; ++k) {
      if (problem.interrupted() || no_memory) continue;
      const double before = forces.work();
      try {
        forces.compute(k * size, std::min(size, bodies - k * size));
        if (problem.curve != nullptr) problem.curve->note_work(galaxy, k, forces.work() - before);
      } catch (const std::bad_alloc&) {
        no_memory = true;
      }
    }
    interactions += forces.interactions();
  }
  if (no_memory) throw std::bad_alloc();
  return interactions;
}

}  // namespace

bool tree_forces(const ForceProblem& problem, GroupFunction* sum_group) {
  Octree own;
  auto& tree = tree_of(problem, own);
  const bool guarded = needs_guard(problem);
  std::uint64_t interactions = 0;
  if (problem.curve != nullptr) problem.curve->begin(problem.galaxies, size_of_groups(problem));
  for (const auto& galaxy : problem.galaxies) {
    const auto groups = groups_here(problem, galaxy);
    // A worker that moves bodies must know where they are on the curve.
    if (groups.empty() && problem.targets_in(galaxy).empty()) continue;
    if (problem.interrupted()) return false;
    tree.build(problem.position.subspan(galaxy.first, galaxy.size()),
               problem.mass.subspan(galaxy.first, galaxy.size()), problem.tree.leaf_size, problem.threads);
    if (problem.change_tree != nullptr) problem.change_tree(tree);
    if (problem.curve != nullptr) problem.curve->note_order(galaxy, tree.order());
    if (!groups.empty()) interactions += galaxy_forces(problem, galaxy, tree, groups, sum_group, guarded);
  }
  if (problem.interrupted()) return false;
  if (problem.interactions != nullptr) *problem.interactions = static_cast<double>(interactions);
  return true;
}

}  // namespace orrery::sim
