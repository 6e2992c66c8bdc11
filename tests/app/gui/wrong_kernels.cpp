// A registry of CPU kernels that takes the place of sim/cpu/kernel.cpp when it is linked before the library:
// some right kernels, and some with the mistakes that people make. What links this file is a test of whether
// mistakes are noticed; the product never contains it.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/cpu/kernel.h"
#include "tests/sim/tree/wrong_trees.h"

namespace orrery::sim {

extern const CpuKernel sequential_kernel;
extern const CpuKernel omp_bodies_kernel;
extern const CpuKernel simd_kernel;
extern const CpuKernel tree_kernel;

namespace {

/// The right sum, with the weight of each pair by `weight(m, d2)` and without the last `skipped` bodies.
template <typename Weight>
bool evaluate_with(const ForceProblem& problem, const Weight& weight, std::size_t skipped = 0) {
  for (const auto& galaxy : problem.galaxies) {
    for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
      Vec3 sum;
      for (std::size_t j = galaxy.first; j + skipped < galaxy.last; ++j) {
        const Vec3 r = problem.position[j] - problem.position[i];
        const float d2 = dot(r, r) + problem.softening_squared;
        if (j != i && d2 > 0.0F) sum += weight(problem.mass[j], d2) * r;
      }
      problem.acceleration[i] = problem.gravitational_constant * sum;
    }
  }
  return true;
}

float right_weight(float mass, float d2) { return mass / (d2 * std::sqrt(d2)); }

bool wrong_sign(const ForceProblem& problem) {
  return evaluate_with(problem, [](float mass, float d2) { return -right_weight(mass, d2); });
}

bool wrong_power(const ForceProblem& problem) {
  return evaluate_with(problem, [](float mass, float d2) { return mass / d2; });
}

bool softened_twice(const ForceProblem& problem) {
  return evaluate_with(
      problem, [&](float mass, float d2) { return right_weight(mass, d2 + problem.softening_squared); });
}

bool missing_bodies(const ForceProblem& problem) { return evaluate_with(problem, right_weight, 16); }

/// One part in a thousand, as sums in half precision have.
bool coarse_weight(const ForceProblem& problem) {
  return evaluate_with(problem, [](float mass, float d2) {
    const float weight = right_weight(mass, d2);
    const float unit = std::exp2(std::floor(std::log2(weight)) - 10.0F);
    return unit * std::round(weight / unit);
  });
}

/// A race that loses one row in fifty.
bool lost_rows(const ForceProblem& problem) {
  evaluate_with(problem, right_weight);
  for (std::size_t i = 0; i < problem.acceleration.size(); i += 50) problem.acceleration[i] = {};
  return true;
}

/// A kernel that leaves old data in the buffer.
bool never_computed(const ForceProblem&) { return true; }

bool not_a_number(const ForceProblem& problem) {
  evaluate_with(problem, right_weight);
  for (std::size_t i = 0; i < problem.acceleration.size(); i += 7)
    problem.acceleration[i].x = std::sqrt(-1.0F);
  return true;
}

/// Every pair by `weight(i, j, d2)` of its galaxy, times `strength`.
template <typename Weight>
bool evaluate_pairs(const ForceProblem& problem, const Weight& weight, float strength,
                    std::span<const GalaxyRange> sources) {
  for (std::size_t k = 0; k < problem.galaxies.size(); ++k) {
    for (std::size_t i = problem.galaxies[k].first; i < problem.galaxies[k].last; ++i) {
      Vec3 sum;
      for (std::size_t j = sources[k].first; j < sources[k].last; ++j) {
        const Vec3 r = problem.position[j] - problem.position[i];
        const float d2 = dot(r, r) + problem.softening_squared;
        if (j != i && d2 > 0.0F) sum += weight(i, j, d2) * r;
      }
      problem.acceleration[i] = strength * sum;
    }
  }
  return true;
}

bool ignores_gravity(const ForceProblem& problem) {
  const auto weight = [&](auto, std::size_t j, float d2) { return right_weight(problem.mass[j], d2); };
  return evaluate_pairs(problem, weight, 1.0F, problem.galaxies);
}

bool own_mass(const ForceProblem& problem) {
  const auto weight = [&](std::size_t i, auto, float d2) { return right_weight(problem.mass[i], d2); };
  return evaluate_pairs(problem, weight, problem.gravitational_constant, problem.galaxies);
}

bool mean_mass(const ForceProblem& problem) {
  float sum = 0.0F;
  for (const float mass : problem.mass) sum += mass;
  const float mean = sum / static_cast<float>(problem.mass.size());
  const auto weight = [&](auto, auto, float d2) { return right_weight(mean, d2); };
  return evaluate_pairs(problem, weight, problem.gravitational_constant, problem.galaxies);
}

/// All bodies pull each other, as if they were of one galaxy.
bool ignores_galaxies(const ForceProblem& problem) {
  const std::vector<GalaxyRange> all(problem.galaxies.size(), {0, problem.position.size()});
  const auto weight = [&](auto, std::size_t j, float d2) { return right_weight(problem.mass[j], d2); };
  return evaluate_pairs(problem, weight, problem.gravitational_constant, all);
}

/// Of each galaxy the heaviest body alone.
bool heaviest_only(const ForceProblem& problem) {
  std::vector<GalaxyRange> heaviest;
  for (const auto& galaxy : problem.galaxies) {
    const auto masses = problem.mass.subspan(galaxy.first, galaxy.size());
    const auto body =
        galaxy.first + static_cast<std::size_t>(std::ranges::max_element(masses) - masses.begin());
    heaviest.push_back({body, body + 1});
  }
  const auto weight = [&](auto, std::size_t j, float d2) { return right_weight(problem.mass[j], d2); };
  return evaluate_pairs(problem, weight, problem.gravitational_constant, heaviest);
}

bool right_forces(const ForceProblem& problem) { return evaluate_with(problem, right_weight); }

/// Right forces, and bodies go half as far as they should.
bool half_drift(StepProblem& problem) {
  const auto move = [&](MotionUpdate update) {
    const auto begin = StepPart::Clock::now();
    update.drift *= 0.5;
    update.apply(problem.motion, problem.dt);
    problem.note(TimelineKind::update, begin);
  };
  for (std::size_t k = 0; k < problem.integrator->evaluations(); ++k) {
    move(problem.integrator->update(k));
    const auto begin = StepPart::Clock::now();
    right_forces(problem.force);
    problem.note(TimelineKind::forces, begin);
  }
  problem.after_forces();
  move(problem.integrator->last_update());
  return true;
}

constexpr CpuKernel wrong_kernel(std::string_view name, bool (*evaluate)(const ForceProblem&),
                                 bool (*step)(StepProblem&) = nullptr) {
  return {.name = name,
          .meaning = "Wrong on purpose.",
          .threaded = false,
          .same_bits = true,
          .evaluate = evaluate,
          .step = step};
}

constexpr CpuKernel wrong_tree(std::string_view name, bool (*evaluate)(const ForceProblem&)) {
  return {.name = name,
          .meaning = "Wrong on purpose.",
          .threaded = true,
          .same_bits = true,
          .gravity_only = "it is a tree",
          .evaluate = evaluate,
          .step = nullptr,
          .approximate = true};
}

/// The last twentieth of a galaxy, where it is a compact group far from the others.
GalaxyRange far_group(const ForceProblem& problem, const GalaxyRange& galaxy) {
  const GalaxyRange group{galaxy.last - galaxy.size() / 20, galaxy.last};
  if (group.size() < 2) return {};
  const auto middle_of = [&](std::size_t first, std::size_t last) {
    Vec3 sum;
    for (std::size_t i = first; i < last; ++i) sum += problem.position[i];
    return (1.0F / static_cast<float>(last - first)) * sum;
  };
  const Vec3 middle = middle_of(group.first, group.last);
  float squared = 0.0F;
  for (std::size_t i = group.first; i < group.last; ++i) {
    const Vec3 away = problem.position[i] - middle;
    squared += dot(away, away) / static_cast<float>(group.size());
  }
  const Vec3 apart = middle_of(galaxy.first, group.first) - middle;
  return 100.0F * squared < dot(apart, apart) ? group : GalaxyRange{};
}

/// A tree in which the bodies of a far group feel nothing of each other.
template <bool relative_only>
bool loses_far_group(const ForceProblem& problem) {
  if (!tree_kernel.evaluate(problem)) return false;
  if (relative_only && !problem.tree.relative) return true;
  for (const auto& galaxy : problem.galaxies) {
    const auto group = far_group(problem, galaxy);
    for (std::size_t i = group.first; i < group.last; ++i) {
      Vec3 sum;
      for (std::size_t j = group.first; j < group.last; ++j) {
        const Vec3 r = problem.position[j] - problem.position[i];
        const float d2 = dot(r, r) + problem.softening_squared;
        if (j != i && d2 > 0.0F) sum += right_weight(problem.mass[j], d2) * r;
      }
      problem.acceleration[i] += (-problem.gravitational_constant) * sum;
    }
  }
  return true;
}

template <void (*change)(Octree&)>
bool with_tree(const ForceProblem& problem) {
  auto changed = problem;
  changed.change_tree = change;
  return tree_kernel.evaluate(changed);
}

constexpr std::array wrong_kernels{
    wrong_kernel("wrong-sign", wrong_sign),
    wrong_kernel("wrong-power", wrong_power),
    wrong_kernel("softened-twice", softened_twice),
    wrong_kernel("missing-bodies", missing_bodies),
    wrong_kernel("coarse-weight", coarse_weight),
    wrong_kernel("lost-rows", lost_rows),
    wrong_kernel("never-computed", never_computed),
    wrong_kernel("not-a-number", not_a_number),
    wrong_kernel("ignores-gravity", ignores_gravity),
    wrong_kernel("own-mass", own_mass),
    wrong_kernel("mean-mass", mean_mass),
    wrong_kernel("ignores-galaxies", ignores_galaxies),
    wrong_kernel("heaviest-only", heaviest_only),
    wrong_kernel("half-drift", right_forces, half_drift),
    wrong_tree("tree-loses-group", loses_far_group<true>),
    wrong_tree("tree-always-loses-group", loses_far_group<false>),
    wrong_tree("tree-wrong-sign", with_tree<turn_second_moments>),
    wrong_tree("tree-forgotten-child", with_tree<forget_children>),
    wrong_tree("tree-stale-box", with_tree<keep_boxes_of_first_parts>),
    wrong_tree("tree-ignores-clumps", with_tree<ignore_insides_of_clumps>),
};

constexpr auto list_of_all() {
  std::array<const CpuKernel*, 4 + wrong_kernels.size()> all{&sequential_kernel, &omp_bodies_kernel,
                                                             &simd_kernel, &tree_kernel};
  for (std::size_t k = 0; k < wrong_kernels.size(); ++k) all.at(k + 4) = &wrong_kernels.at(k);
  return all;
}

}  // namespace

std::span<const CpuKernel* const> cpu_kernels() {
  static constexpr auto all = list_of_all();
  return all;
}

const CpuKernel* find_cpu_kernel(std::string_view name) {
  const auto all = cpu_kernels();
  const auto found = std::ranges::find(all, name, &CpuKernel::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace orrery::sim
