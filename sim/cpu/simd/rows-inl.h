// Compiled once for each instruction set: the guard is Highway's.
#if defined(ORRERY_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_ROWS_INL
#undef ORRERY_ROWS_INL
#else
#define ORRERY_ROWS_INL
#endif

#include "sim/cpu/simd/inverse_cube-inl.h"
#include "sim/cpu/simd/row_tasks.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

/// The targets of a task and their sums, one array a component.
template <typename Real>
struct Targets {
  alignas(64) Real x[most_targets], y[most_targets], z[most_targets];
  alignas(64) Real ax[most_targets], ay[most_targets], az[most_targets];
  std::size_t count = 0;
};

/// The weight of a source at that distance, `scale` left out.
template <class Cube, bool guarded>
HWY_INLINE typename Cube::Vector weight_of(typename Cube::Tag d, typename Cube::Vector mass,
                                           typename Cube::Vector squared) {
  const auto weight = Cube::weight(d, mass, squared);
  if constexpr (guarded) return where_possible(d, squared, weight);
  return weight;
}

/// Adds the forces of the sources [first, last) to that many vectors of targets, from `at` on, that stay in
/// registers: a source is loaded once for all of them, into every lane.
template <class Cube, bool guarded, std::size_t vectors, typename Real>
void add_sources(const RowTask& task, std::size_t first, std::size_t last, Targets<Real>& targets,
                 std::size_t at) {
  using Vector = typename Cube::Vector;
  const typename Cube::Tag d;
  const std::size_t lanes = hn::Lanes(d);
  const Vector softening = hn::Set(d, static_cast<Real>(task.softening_squared));
  Vector x[vectors], y[vectors], z[vectors], ax[vectors], ay[vectors], az[vectors];
  for (std::size_t k = 0; k < vectors; ++k) {
    x[k] = hn::Load(d, targets.x + at + k * lanes);
    y[k] = hn::Load(d, targets.y + at + k * lanes);
    z[k] = hn::Load(d, targets.z + at + k * lanes);
    ax[k] = ay[k] = az[k] = hn::Zero(d);
  }
  for (std::size_t j = first; j < last; ++j) {
    const float* source = task.position + 3 * j;
    const Vector sx = hn::Set(d, static_cast<Real>(source[0]));
    const Vector sy = hn::Set(d, static_cast<Real>(source[1]));
    const Vector sz = hn::Set(d, static_cast<Real>(source[2]));
    const Vector mass = hn::Set(d, static_cast<Real>(task.mass[j]));
#pragma GCC unroll 4
    for (std::size_t k = 0; k < vectors; ++k) {
      const Vector dx = hn::Sub(sx, x[k]), dy = hn::Sub(sy, y[k]), dz = hn::Sub(sz, z[k]);
      const Vector squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, softening)));
      const Vector weight = weight_of<Cube, guarded>(d, mass, squared);
      ax[k] = hn::MulAdd(weight, dx, ax[k]);
      ay[k] = hn::MulAdd(weight, dy, ay[k]);
      az[k] = hn::MulAdd(weight, dz, az[k]);
    }
  }
  for (std::size_t k = 0; k < vectors; ++k) {
    const std::size_t place = at + k * lanes;
    hn::Store(hn::Add(hn::Load(d, targets.ax + place), ax[k]), d, targets.ax + place);
    hn::Store(hn::Add(hn::Load(d, targets.ay + place), ay[k]), d, targets.ay + place);
    hn::Store(hn::Add(hn::Load(d, targets.az + place), az[k]), d, targets.az + place);
  }
}

/// Gathers the targets; the lanes after the last one repeat it.
template <typename Real>
void gather(const RowTask& task, Targets<Real>& targets) {
  targets.count = task.last - task.first;
  for (std::size_t k = 0; k < most_targets; ++k) {
    const float* x = task.position + 3 * (k < targets.count ? task.first + k : task.last - 1);
    targets.x[k] = x[0], targets.y[k] = x[1], targets.z[k] = x[2];
    targets.ax[k] = targets.ay[k] = targets.az[k] = 0;
  }
}

/// Writes the accelerations of the targets: `factor` times their sums.
template <typename Real>
void scatter(const RowTask& task, const Targets<Real>& targets, double factor) {
  const auto f = static_cast<Real>(factor);
  for (std::size_t k = 0; k < targets.count; ++k) {
    float* a = task.acceleration + 3 * (task.first + k);
    a[0] = static_cast<float>(f * targets.ax[k]);
    a[1] = static_cast<float>(f * targets.ay[k]);
    a[2] = static_cast<float>(f * targets.az[k]);
  }
}

/// A tile of sources stays in the cache while all targets of the task meet it.
template <class Cube, bool guarded, std::size_t vectors>
void evaluate_rows(const RowTask& task) {
  using Real = hn::TFromD<typename Cube::Tag>;
  const std::size_t lanes = hn::Lanes(typename Cube::Tag());
  Targets<Real> targets;
  gather(task, targets);
  for (std::size_t first = task.sources.first; first < task.sources.last; first += source_tile) {
    if (task.interrupted()) return;
    const std::size_t last =
        first + source_tile < task.sources.last ? first + source_tile : task.sources.last;
    std::size_t at = 0;
    for (; at + vectors * lanes <= targets.count; at += vectors * lanes)
      add_sources<Cube, guarded, vectors>(task, first, last, targets, at);
    for (; at < targets.count; at += lanes) add_sources<Cube, guarded, 1>(task, first, last, targets, at);
  }
  scatter(task, targets, Cube::scale * task.gravitational_constant);
}

/// Evaluates a task with `vectors` vectors of targets in registers.
template <class Cube, std::size_t vectors>
void evaluate_task(const RowTask& task) {
  if (task.guarded) return evaluate_rows<Cube, true, vectors>(task);
  evaluate_rows<Cube, false, vectors>(task);
}

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();
#endif
