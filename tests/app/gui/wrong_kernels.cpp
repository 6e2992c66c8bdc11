// A registry of CPU kernels that takes the place of sim/cpu/kernel.cpp when it is linked before the library:
// some right kernels, and some with the mistakes that people make. What links this file is a test of whether
// mistakes are noticed; the product never contains it.
#include <algorithm>
#include <array>
#include <cmath>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

extern const CpuKernel sequential_kernel;
extern const CpuKernel omp_bodies_kernel;
extern const CpuKernel simd_kernel;

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

/// What is left in the buffer is taken for the result.
bool never_computed(const ForceProblem&) { return true; }

bool not_a_number(const ForceProblem& problem) {
  evaluate_with(problem, right_weight);
  for (std::size_t i = 0; i < problem.acceleration.size(); i += 7)
    problem.acceleration[i].x = std::sqrt(-1.0F);
  return true;
}

constexpr CpuKernel wrong_kernel(std::string_view name, bool (*evaluate)(const ForceProblem&)) {
  return {.name = name,
          .meaning = "Wrong on purpose.",
          .threaded = false,
          .same_bits = true,
          .evaluate = evaluate,
          .step = nullptr};
}

constexpr std::array wrong_kernels{
    wrong_kernel("wrong-sign", wrong_sign),         wrong_kernel("wrong-power", wrong_power),
    wrong_kernel("softened-twice", softened_twice), wrong_kernel("missing-bodies", missing_bodies),
    wrong_kernel("coarse-weight", coarse_weight),   wrong_kernel("lost-rows", lost_rows),
    wrong_kernel("never-computed", never_computed), wrong_kernel("not-a-number", not_a_number),
};

constexpr auto list_of_all() {
  std::array<const CpuKernel*, 3 + wrong_kernels.size()> all{&sequential_kernel, &omp_bodies_kernel,
                                                             &simd_kernel};
  for (std::size_t k = 0; k < wrong_kernels.size(); ++k) all.at(k + 3) = &wrong_kernels.at(k);
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
