#include "sim/core/vector_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/cpu_limit.cpp"
// Compiles the rest of this file once for each instruction set.
#include <hwy/foreach_target.h>

#include "sim/cpu/simd/inverse_cube-inl.h"

// How fast the CPU could compute the interactions of the kernel `simd` if nothing had to wait: the same
// instructions, in the same numbers, without any that depends on another. docs/performance.md, "On a CPU".

#if defined(ORRERY_CPU_LIMIT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ORRERY_CPU_LIMIT_INL
#undef ORRERY_CPU_LIMIT_INL
#else
#define ORRERY_CPU_LIMIT_INL
#endif

#if HWY_ARCH_X86
#define ORRERY_VECTOR_REGISTER "v"
#else
#define ORRERY_VECTOR_REGISTER "w"
#endif

HWY_BEFORE_NAMESPACE();
namespace orrery::bench {
namespace HWY_NAMESPACE {

namespace kernel = sim::HWY_NAMESPACE;
namespace hn = hwy::HWY_NAMESPACE;

/// The compiler may not know the value any more: nothing is moved out of the loop.
HWY_INLINE void change(kernel::FloatVector& v) { asm volatile("" : "+" ORRERY_VECTOR_REGISTER(v.raw)); }
/// The compiler must compute it.
HWY_INLINE void use(kernel::FloatVector v) { asm volatile("" : : ORRERY_VECTOR_REGISTER(v.raw)); }

/// `rounds` times that many of each instruction; the results go nowhere.
template <int subtractions, int products, int fused, int estimates>
void repeat(std::size_t rounds) {
  const kernel::FloatTag d;
  kernel::FloatVector a = hn::Set(d, 1.25F), b = hn::Set(d, 0.75F), c = hn::Set(d, 0.5F);
  for (std::size_t k = 0; k < rounds; ++k) {
    change(a);
#pragma GCC unroll 16
    for (int i = 0; i < subtractions; ++i) use(hn::Sub(a, b)), change(a);
#pragma GCC unroll 16
    for (int i = 0; i < fused; ++i) use(hn::MulAdd(a, b, c)), change(a);
#pragma GCC unroll 16
    for (int i = 0; i < products; ++i) use(hn::Mul(a, b)), change(a);
#pragma GCC unroll 16
    for (int i = 0; i < estimates; ++i) use(kernel::estimate(d, a)), change(a);
  }
}

/// The instructions of one vector of interactions: 3 differences; 3 + 1 + 3 fused multiply-adds for the
/// squared distance, the Newton step and the sums; y^2, m y, y^2 t and their product; one estimate.
void interaction(std::size_t rounds) { repeat<3, 4, 7, 1>(rounds); }
void subtraction(std::size_t rounds) { repeat<12, 0, 0, 0>(rounds); }
void product(std::size_t rounds) { repeat<0, 12, 0, 0>(rounds); }
void fused_product(std::size_t rounds) { repeat<0, 0, 12, 0>(rounds); }
void reciprocal_root(std::size_t rounds) { repeat<0, 0, 0, 12>(rounds); }
std::size_t lanes() { return hn::Lanes(kernel::FloatTag()); }

}  // namespace HWY_NAMESPACE
}  // namespace orrery::bench
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
#include <omp.h>

#include <algorithm>

#include "bench/cpu_limit.h"
#include "sim/cpu/kernel.h"
#include "sim/galaxies/model.h"

namespace orrery::bench {
namespace {

HWY_EXPORT(interaction);
HWY_EXPORT(subtraction);
HWY_EXPORT(product);
HWY_EXPORT(fused_product);
HWY_EXPORT(reciprocal_root);
HWY_EXPORT(lanes);

constexpr int repetitions = 40;
constexpr std::size_t rounds = 200'000;

/// Seconds of one call.
template <typename Work>
double seconds_of(const Work& work) {
  const double start = omp_get_wtime();
  work();
  return omp_get_wtime() - start;
}

/// The best of many, for what has no reason to be faster than it can.
template <typename Work>
double best_of(const Work& work) {
  double best = 1e9;
  for (int k = 0; k < repetitions; ++k) best = std::min(best, seconds_of(work));
  return best;
}

/// Additions that wait for each other take one cycle each.
void dependent_additions(std::size_t count) {
  std::uint64_t sum = 0, step = 3;
  for (std::size_t k = 0; k < count / 8; ++k) {
#if HWY_ARCH_X86
    asm volatile(
        "add %1,%0\n add %1,%0\n add %1,%0\n add %1,%0\n add %1,%0\n add %1,%0\n add %1,%0\n add %1,%0"
        : "+r"(sum)
        : "r"(step));
#else
    for (int i = 0; i < 8; ++i) asm volatile("add %0,%0,%1" : "+r"(sum) : "r"(step));
#endif
  }
}

double clock_ghz() {
  constexpr std::size_t count = 8'000'000;
  return static_cast<double>(count) / best_of([] { dependent_additions(count); }) * 1e-9;
}

/// One force evaluation of a Plummer sphere.
class Problem {
 public:
  Problem(std::size_t bodies, int threads, const sim::InstructionSet& set)
      : scene_(sim::make_galaxy("plummer", {.bodies = bodies, .seed = 1})),
        galaxies_(scene_.bodies.galaxies()),
        acceleration_(bodies),
        problem_{.position = scene_.bodies.position,
                 .mass = scene_.bodies.mass,
                 .galaxies = galaxies_,
                 .softening_squared = 0.0025F,
                 .threads = threads,
                 .acceleration = acceleration_,
                 .scratch = &scratch_,
                 .instructions = &set} {}
  void evaluate(const char* kernel) const { sim::find_cpu_kernel(kernel)->evaluate(problem_); }
  double interactions() const {
    return static_cast<double>(acceleration_.size()) * static_cast<double>(acceleration_.size());
  }

 private:
  sim::Scene scene_;
  std::vector<sim::GalaxyRange> galaxies_;
  std::vector<sim::Vec3> acceleration_, scratch_;
  sim::ForceProblem problem_;
};

/// In turns: each meets the same clock.
CpuLimit::Rates measure(const Problem& problem, const char* kernel, int threads,
                        const sim::InstructionSet& set) {
  auto* const limit = sim::compiled_for(set, HWY_DISPATCH_TABLE(interaction));
  const auto all_threads = [&] {
#pragma omp parallel num_threads(threads)
    limit(10 * rounds);
  };
  double kernel_s = 1e9, reference_s = 1e9, limit_s = 1e9;
  for (int k = 0; k < repetitions; ++k) {
    kernel_s = std::min(kernel_s, seconds_of([&] { problem.evaluate(kernel); }));
    limit_s = std::min(limit_s, seconds_of(all_threads));
    if (k % 8 == 0) reference_s = std::min(reference_s, seconds_of([&] { problem.evaluate("omp-bodies"); }));
  }
  const auto lanes_here = static_cast<double>(sim::compiled_for(set, HWY_DISPATCH_TABLE(lanes))());
  return {problem.interactions() / kernel_s * 1e-9, problem.interactions() / reference_s * 1e-9,
          threads * lanes_here * 10.0 * static_cast<double>(rounds) / limit_s * 1e-9};
}

}  // namespace

CpuLimit measure_cpu_limit(const sim::InstructionSet& set, std::size_t bodies, int threads,
                           const char* kernel) {
  const double ghz = clock_ghz();
  const auto cycles = [&](auto* function, double instructions) {
    return best_of([&] { function(rounds); }) * ghz * 1e9 / static_cast<double>(rounds) / instructions;
  };
  return {.clock_ghz = ghz,
          .lanes = sim::compiled_for(set, HWY_DISPATCH_TABLE(lanes))(),
          .subtraction = cycles(sim::compiled_for(set, HWY_DISPATCH_TABLE(subtraction)), 12),
          .product = cycles(sim::compiled_for(set, HWY_DISPATCH_TABLE(product)), 12),
          .fused_product = cycles(sim::compiled_for(set, HWY_DISPATCH_TABLE(fused_product)), 12),
          .estimate = cycles(sim::compiled_for(set, HWY_DISPATCH_TABLE(reciprocal_root)), 12),
          .interaction_vector = cycles(sim::compiled_for(set, HWY_DISPATCH_TABLE(interaction)), 1),
          .rates = measure(Problem(bodies, threads, set), kernel, threads, set)};
}

}  // namespace orrery::bench
#endif
