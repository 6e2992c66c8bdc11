#include "sim/cpu/tree/tree_forces.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "sim/cpu/simd/row_tasks.h"
#include "sim/cpu/tree/curve_share.h"

namespace orrery::sim {

namespace {

/// The groups of a galaxy, what they walk, and where their accelerations go. Views.
struct GalaxyGroups {
  const ForceProblem& problem;
  GalaxyRange galaxy;
  const Octree& tree;
  const WalkTable& table;
  GroupFunction* sum_group = nullptr;
  bool guarded = false;
  BodyRange targets = {};       ///< bodies whose accelerations are computed
  std::span<Vec3> places = {};  ///< results ordered by position on the curve; empty: written to
                                ///< problem.acceleration, ordered by body
};

/// Bodies of a group.
std::size_t size_of_groups(const ForceProblem& problem) {
  return std::clamp<std::size_t>(problem.tree.group_size, 1, most_group);
}

/// All groups of that many bodies.
BodyRange all_groups(const ForceProblem& problem, std::size_t bodies) {
  const std::size_t size = size_of_groups(problem);
  return {0, (bodies + size - 1) / size};
}

/// The working memory of one thread that computes groups of one galaxy.
class GroupSummer {
 public:
  explicit GroupSummer(const GalaxyGroups& all)
      : all_(all), walk_(all.tree, all.table, all.problem.tree, all.problem.instruction_set()) {
    task_.softening_squared = all.problem.softening_squared;
    task_.guarded = all.guarded;
  }

  void compute_group(std::size_t group) {
    const std::size_t size = size_of_groups(all_.problem), first = group * size;
    compute(first, std::min(size, all_.galaxy.size() - first));
  }

  std::uint64_t interactions() const { return interactions_; }
  /// The cost of all groups so far, in sums over a body for a whole group.
  double work() const { return work_; }

 private:
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
    all_.sum_group(task_);
    scatter(first, count);
    interactions_ += targets * (sources_.bodies.size() + sources_.cells.size()) + sources_.far_count;
    work_ += work_of_group();
  }

  std::size_t body(std::size_t place) const { return all_.galaxy.first + all_.tree.order()[place]; }
  bool is_target(std::size_t body) const {
    const auto active = all_.problem.active;
    return body >= all_.targets.first && body < all_.targets.last && (active.empty() || active[body] != 0);
  }

  /// In about the ratio of their times: with this, workers that share a sphere or a disk differ by 2 to 4 %.
  double work_of_group() const {
    constexpr double group = 100.0, cell = 2.5, far_cell = 0.5;
    return group + static_cast<double>(sources_.bodies.size()) +
           cell * static_cast<double>(sources_.cells.size()) +
           far_cell * static_cast<double>(sources_.far_count);
  }

  std::size_t count_targets(std::size_t first, std::size_t count) const {
    if (all_.problem.active.empty() && all_.targets.first == all_.galaxy.first &&
        all_.targets.last == all_.galaxy.last)
      return count;
    std::size_t targets = 0;
    for (std::size_t k = first; k < first + count; ++k) targets += is_target(body(k)) ? 1 : 0;
    return targets;
  }

  /// The lanes after the last body repeat it.
  void gather(std::size_t first, std::size_t count) {
    for (std::size_t k = 0; k < most_group; ++k) {
      const Vec3& place = all_.tree.position()[first + std::min(k, count - 1)];
      task_.x[k] = place.x, task_.y[k] = place.y, task_.z[k] = place.z;
    }
    const Vec3& center = walk_.center();
    task_.center[0] = center.x, task_.center[1] = center.y, task_.center[2] = center.z;
    task_.count = count;
    task_.bodies = sources_.bodies.data();
    task_.body_count = sources_.bodies.size();
    task_.cells = sources_.cells.data();
    task_.cell_count = sources_.cells.size();
    for (std::size_t k = 0; k < sources_.far.size(); ++k) task_.far[k] = sources_.far[k].data();
    gather_third();
    task_.far_count = sources_.far_count;
    const Vec3 middle = sources_.middle - center;
    task_.middle[0] = middle.x, task_.middle[1] = middle.y, task_.middle[2] = middle.z;
    task_.radius = sources_.radius;
  }

  void gather_third() {
    const auto& table = all_.table;
    task_.third = sources_.third.data();
    task_.third_count = sources_.third.size();
    task_.series_has_third = !table.third.empty();
    task_.third_unit = 1.0F / table.length_scale;
    for (std::size_t k = 0; k < sources_.far_third.size(); ++k)
      task_.far_third[k] = sources_.far_third[k].data();
  }

  void scatter(std::size_t first, std::size_t count) const {
    const float g = all_.problem.gravitational_constant;
    const auto of_task = [&](std::size_t k) {
      return Vec3{g * task_.ax[k], g * task_.ay[k], g * task_.az[k]};
    };
    if (!all_.places.empty()) {
      const auto places = all_.places.subspan(first, count);
      for (std::size_t k = 0; k < count; ++k) places[k] = of_task(k);
      return;
    }
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = body(first + k);
      if (is_target(i)) all_.problem.acceleration[i] = of_task(k);
    }
  }

  const GalaxyGroups& all_;
  GroupWalk walk_;
  GroupSources sources_;
  GroupTask task_;
  std::uint64_t interactions_ = 0;
  double work_ = 0.0;
};

/// The accelerations of these groups, on all threads. How many pairs of a body and a body or cell were
/// summed. What has begun is brought to its end if interrupted. Throws std::bad_alloc, but not out of the
/// parallel region.
std::uint64_t sum_groups(const GalaxyGroups& all, BodyRange groups) {
  std::atomic<std::uint64_t> interactions = 0;
  std::atomic<bool> no_memory = false;
#pragma omp parallel num_threads(groups.size() > 1 ? all.problem.threads : 1)
  {
    GroupSummer summer(all);
#pragma omp for schedule(dynamic, 4)
    for (std::size_t k = groups.first; k < groups.last; ++k) {
      if (all.problem.interrupted() || no_memory) continue;
      const double before = summer.work();
      try {
        summer.compute_group(k);
        if (auto* curve = all.problem.curve; curve != nullptr)
          curve->note_work(all.galaxy, k, summer.work() - before);
      } catch (const std::bad_alloc&) {
        no_memory = true;
      }
    }
    interactions += summer.interactions();
  }
  if (no_memory) throw std::bad_alloc();
  return interactions;
}

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
  table.assign(tree, problem.tree, problem.softening_squared, problem.threads);
  GalaxyGroups all{.problem = problem,
                   .galaxy = galaxy,
                   .tree = tree,
                   .table = table,
                   .sum_group = sum_group,
                   .guarded = guarded,
                   .targets = problem.targets_in(galaxy)};
  if (auto* curve = problem.curve; curve != nullptr) {
    all.targets = {galaxy.first, galaxy.last};
    all.places = curve->acceleration().subspan(galaxy.first, galaxy.size());
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
