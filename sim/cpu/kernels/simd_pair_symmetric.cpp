#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/cpu/kernels/simd_pair_symmetric.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>

#include "sim/cpu/simd/chunk_pairs.h"
#include "sim/cpu/simd/inverse_cube-inl.h"

HWY_BEFORE_NAMESPACE();
namespace orrery::sim {
namespace HWY_NAMESPACE {

/// Bodies of chunk a that meet a vector of chunk b while its sums are in registers; divides chunk_unit.
constexpr std::size_t rows = 8;

/// Partial sum of chunk b from one other chunk, before it is added to its sums: smaller errors than one long
/// sum.
struct PairSums {
  alignas(64) float x[most_chunk_bodies], y[most_chunk_bodies], z[most_chunk_bodies];
};

/// Adds the horizontal sums of a row to its body.
HWY_INLINE void add_row_sum(FloatTag d, FloatVector x, FloatVector y, FloatVector z,
                            const ChunkArrays& arrays, std::size_t i) {
  arrays.ax[i] += hn::GetLane(hn::SumOfLanes(d, x));
  arrays.ay[i] += hn::GetLane(hn::SumOfLanes(d, y));
  arrays.az[i] += hn::GetLane(hn::SumOfLanes(d, z));
}

/// The bodies [i, i + rows) of chunk a with all of chunk b: each force is computed once and given to both
/// (`both`), or to b only, where a is b and every pair comes twice. `arrays` by value: vectors may be stored
/// anywhere, and the pointers would be read again after every store.
template <bool guarded, bool both>
void add_rows(ChunkArrays arrays, float softening_squared, std::size_t i, const Chunk& b, PairSums& sums) {
  const FloatTag d;
  const std::size_t lanes = hn::Lanes(d);
  const FloatVector softening = hn::Set(d, softening_squared);
  FloatVector ax[rows], ay[rows], az[rows];
  for (std::size_t k = 0; k < rows; ++k) ax[k] = ay[k] = az[k] = hn::Zero(d);
  for (std::size_t place = 0; place < b.padded; place += lanes) {
    const std::size_t j = b.first + place;
    const FloatVector x = hn::Load(d, arrays.x + j), y = hn::Load(d, arrays.y + j);
    const FloatVector z = hn::Load(d, arrays.z + j), mass = hn::Load(d, arrays.mass + j);
    FloatVector bx = hn::Load(d, sums.x + place), by = hn::Load(d, sums.y + place),
                bz = hn::Load(d, sums.z + place);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < rows; ++k) {
      const FloatVector dx = hn::Sub(x, hn::Set(d, arrays.x[i + k]));
      const FloatVector dy = hn::Sub(y, hn::Set(d, arrays.y[i + k]));
      const FloatVector dz = hn::Sub(z, hn::Set(d, arrays.z[i + k]));
      const FloatVector squared = hn::MulAdd(dz, dz, hn::MulAdd(dy, dy, hn::MulAdd(dx, dx, softening)));
      FloatVector cube = SingleCube::cube(d, squared);
      if constexpr (guarded) cube = where_possible(d, squared, cube);
      const FloatVector to_b = hn::Mul(cube, hn::Set(d, arrays.mass[i + k]));
      bx = hn::NegMulAdd(to_b, dx, bx);
      by = hn::NegMulAdd(to_b, dy, by);
      bz = hn::NegMulAdd(to_b, dz, bz);
      if constexpr (both) {
        const FloatVector to_a = hn::Mul(cube, mass);
        ax[k] = hn::MulAdd(to_a, dx, ax[k]);
        ay[k] = hn::MulAdd(to_a, dy, ay[k]);
        az[k] = hn::MulAdd(to_a, dz, az[k]);
      }
    }
    hn::Store(bx, d, sums.x + place);
    hn::Store(by, d, sums.y + place);
    hn::Store(bz, d, sums.z + place);
  }
  if constexpr (both) {
    for (std::size_t k = 0; k < rows; ++k) add_row_sum(d, ax[k], ay[k], az[k], arrays, i + k);
  }
}

template <bool guarded>
void add_pair(const ChunkArrays& arrays, float softening_squared, const ChunkPair& pair) {
  const bool both = pair.a.first != pair.b.first;
  PairSums sums;
  for (std::size_t k = 0; k < pair.b.padded; ++k) sums.x[k] = sums.y[k] = sums.z[k] = 0.0F;
  for (std::size_t i = pair.a.first; i < pair.a.first + pair.a.padded; i += rows) {
    if (both) {
      add_rows<guarded, true>(arrays, softening_squared, i, pair.b, sums);
    } else {
      add_rows<guarded, false>(arrays, softening_squared, i, pair.b, sums);
    }
  }
  for (std::size_t k = 0; k < pair.b.padded; ++k) {
    arrays.ax[pair.b.first + k] += sums.x[k];
    arrays.ay[pair.b.first + k] += sums.y[k];
    arrays.az[pair.b.first + k] += sums.z[k];
  }
}

void chunk_pair(const ChunkArrays& arrays, float softening_squared, bool guarded, const ChunkPair& pair) {
  if (guarded) return add_pair<true>(arrays, softening_squared, pair);
  add_pair<false>(arrays, softening_squared, pair);
}

/// The factor for the sums.
float sum_scale() { return static_cast<float>(SingleCube::scale); }

}  // namespace HWY_NAMESPACE
}  // namespace orrery::sim
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu_kernels.h"
#include "sim/cpu/kernels/interaction.h"
#include "sim/cpu/simd/row_tasks.h"

namespace orrery::sim {

namespace {

HWY_EXPORT(chunk_pair);
HWY_EXPORT(sum_scale);

bool evaluate(const ForceProblem& problem) {
  auto* const add = compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(chunk_pair));
  const float scale = compiled_for(problem.instruction_set(), HWY_DISPATCH_TABLE(sum_scale))();
  const auto rounds = chunk_rounds(problem.galaxies);
  const auto arrays = chunk_arrays(rounds, *problem.scratch);
  const auto& all = rounds.front();
  const bool guarded = needs_guard(problem);
#pragma omp parallel num_threads(problem.threads)
  {
#pragma omp for schedule(static)
    for (const auto& pair : all) fill_chunk(problem, pair.a, arrays);
    for (const auto& round : rounds) {
      // Ends with a barrier: the next round meets the same chunks in other pairs.
#pragma omp for schedule(dynamic, 1)
      for (const auto& pair : round) {
        if (!problem.interrupted()) add(arrays, problem.softening_squared, guarded, pair);
      }
    }
#pragma omp for schedule(static)
    for (const auto& pair : all) write_chunk(problem, pair.a, arrays, scale * problem.gravitational_constant);
  }
  return !problem.interrupted();
}

}  // namespace

constexpr CpuKernel simd_pair_symmetric_kernel{
    .name = "simd-pair-symmetric",
    .meaning =
        "As simd, each pair once for both bodies: chunks meet in the rounds of a tournament. Faster where "
        "threads are few.",
    .usual_rate = 2.9,
    .threaded = true,
    .same_bits = true,
    .vectors = true,
    .gravity_only = same_force_for_both,
    .evaluate = evaluate,
};

}  // namespace orrery::sim
#endif
