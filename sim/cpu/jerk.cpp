#include "sim/cpu/jerk.h"

#include "sim/cpu/kernels/interaction.h"
#include "sim/cpu/simd/jerk_rows.h"

namespace orrery::sim {

namespace {

/// Squared distances beyond have no inverse in single precision, as in the vector loops.
constexpr float largest_distance_squared = 1e37F;

/// The jerk of body i by the sources of its galaxy, in their order.
Vec3 jerk_of(const ForceProblem& problem, std::size_t i, const GalaxyRange& sources) {
  const Vec3 x = problem.position[i], v = problem.state.velocity[i];
  Vec3 sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const Vec3 r = problem.position[j] - x, u = problem.state.velocity[j] - v;
    const float r2 = dot(r, r) + problem.softening_squared;
    if (r2 > smallest_distance_squared && r2 < largest_distance_squared)
      sum += (problem.mass[j] * inverse_cube(r2)) * (u - (3.0F * dot(r, u) / r2) * r);
  }
  return problem.gravitational_constant * sum;
}

}  // namespace

bool evaluate_jerks(const ForceProblem& problem, const CpuKernel& kernel, std::span<Vec3> jerk) {
  if (!kernel.vectors)
    return for_targets(
        problem, kernel.threaded ? problem.threads : 1,
        [&](std::size_t i, const GalaxyRange& sources) { jerk[i] = jerk_of(problem, i, sources); });
  auto tasks = row_tasks(problem);
  for (auto& task : tasks) {
    task.velocity = &problem.state.velocity.data()->x;
    task.acceleration = &jerk.data()->x;
  }
  return run_tasks(problem, tasks, jerk_rows(problem.instruction_set()));
}

}  // namespace orrery::sim
