#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/jerk.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>

#include "sim/cpu/simd/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

namespace {

/// Three components in each lane.
struct Vectors {
  FloatVector x, y, z;
};

HWY_INLINE FloatVector product(const Vectors& a, const Vectors& b, FloatVector plus) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::MulAdd(a.x, b.x, plus)));
}
HWY_INLINE Vectors from(FloatTag d, const float* source, const Vectors& here) {
  return {hn::Sub(hn::Set(d, source[0]), here.x), hn::Sub(hn::Set(d, source[1]), here.y),
          hn::Sub(hn::Set(d, source[2]), here.z)};
}

/// 1 / r^2 from the estimate that the cube has used, with one Newton step.
HWY_INLINE FloatVector inverse_square(FloatTag d, FloatVector squared) {
  const auto y = estimate(d, squared);
  const auto y2 = hn::Mul(y, y);
  return hn::Mul(y2, hn::NegMulAdd(squared, y2, hn::Set(d, 2.0F)));
}

/// Adds the jerks by the sources [first, last) to a vector of targets. SingleCube::scale is left out.
template <bool guarded>
void add_jerks(const RowTask& task, std::size_t first, std::size_t last, const Vectors& x, const Vectors& v,
               Vectors& sum) {
  const FloatTag d;
  const auto softening = hn::Set(d, static_cast<float>(task.softening_squared));
  Vectors jerk{hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  for (std::size_t j = first; j < last; ++j) {
    const auto r = from(d, task.position + 3 * j, x), u = from(d, task.velocity + 3 * j, v);
    const auto squared = product(r, r, softening);
    const auto weight = weight_of<SingleCube, guarded>(d, hn::Set(d, task.mass[j]), squared);
    auto along = hn::Mul(hn::Mul(hn::Set(d, 3.0F), product(r, u, hn::Zero(d))), inverse_square(d, squared));
    if constexpr (guarded) along = where_possible(d, squared, along);
    jerk.x = hn::MulAdd(weight, hn::NegMulAdd(along, r.x, u.x), jerk.x);
    jerk.y = hn::MulAdd(weight, hn::NegMulAdd(along, r.y, u.y), jerk.y);
    jerk.z = hn::MulAdd(weight, hn::NegMulAdd(along, r.z, u.z), jerk.z);
  }
  sum = {hn::Add(sum.x, jerk.x), hn::Add(sum.y, jerk.y), hn::Add(sum.z, jerk.z)};
}

/// Targets and how they move, one array a component.
struct MovingTargets : Targets<float> {
  alignas(64) float vx[most_targets], vy[most_targets], vz[most_targets];
};

void gather_moving(const RowTask& task, MovingTargets& targets) {
  gather(task, targets);
  for (std::size_t k = 0; k < most_targets; ++k) {
    const float* v = task.velocity + 3 * (k < targets.count ? task.first + k : task.last - 1);
    targets.vx[k] = v[0], targets.vy[k] = v[1], targets.vz[k] = v[2];
  }
}

template <bool guarded>
void jerks_by_tile(const RowTask& task, std::size_t first, std::size_t last, MovingTargets& targets) {
  const FloatTag d;
  const auto load = [&](const float* x, const float* y, const float* z) {
    return Vectors{hn::Load(d, x), hn::Load(d, y), hn::Load(d, z)};
  };
  for (std::size_t at = 0; at < targets.count; at += hn::Lanes(d)) {
    auto sum = load(targets.ax + at, targets.ay + at, targets.az + at);
    add_jerks<guarded>(task, first, last, load(targets.x + at, targets.y + at, targets.z + at),
                       load(targets.vx + at, targets.vy + at, targets.vz + at), sum);
    hn::Store(sum.x, d, targets.ax + at);
    hn::Store(sum.y, d, targets.ay + at);
    hn::Store(sum.z, d, targets.az + at);
  }
}

template <bool guarded>
void jerks_of_task(const RowTask& task) {
  MovingTargets targets;
  gather_moving(task, targets);
  for (std::size_t first = task.sources.first; first < task.sources.last; first += source_tile) {
    if (task.interrupted()) return;
    const std::size_t last =
        first + source_tile < task.sources.last ? first + source_tile : task.sources.last;
    jerks_by_tile<guarded>(task, first, last, targets);
  }
  scatter(task, targets, SingleCube::scale * task.gravitational_constant);
}

}  // namespace

void rows_of_jerks(const RowTask& task) {
  if (task.guarded) return jerks_of_task<true>(task);
  jerks_of_task<false>(task);
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "sim/cpu/jerk.h"
#include "sim/cpu/kernels/interaction.h"

namespace orrery::sim {

namespace {

HWY_EXPORT(rows_of_jerks);

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
  return run_tasks(problem, tasks,
                   compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(rows_of_jerks)));
}

}  // namespace orrery::sim
#endif
