#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <ctime>
#include <thread>

#include "sim/core/error.h"
#include "sim/core/hash.h"
#include "sim/cpu/kernel.h"
#include "sim/cpu/simd/instruction_sets.h"
#include "tests/sim/engines/engine_cases.h"

// The kernels with vector instructions, for every set of instructions that this CPU has. What all
// kernels have in common is checked in engine_test.cpp, with the widest set.
namespace orrery::sim {
namespace {

using checks::ragged_bodies;

struct SimdCase {
  std::string kernel;
  const InstructionSet* set;
  std::string name() const {
    auto text = kernel + "_" + std::string(set->name);
    std::ranges::replace(text, '-', '_');
    return text;
  }
};
void PrintTo(const SimdCase& simd_case, std::ostream* out) { *out << simd_case.name(); }

std::vector<SimdCase> simd_cases() {
  std::vector<SimdCase> cases;
  for (const auto* kernel : cpu_kernels()) {
    if (!kernel->vectors) continue;
    for (const auto& set : instruction_sets()) {
      if (set.targets != 0) cases.push_back({std::string(kernel->name), &set});
    }
  }
  return cases;
}

/// One force evaluation without an engine.
struct Evaluation {
  Bodies bodies;
  float softening_squared = 0.0025F;
  int threads = 1;
  const std::atomic<bool>* interrupt = nullptr;
  std::vector<Vec3> acceleration = {};

  bool run(const SimdCase& simd_case) {
    acceleration.assign(bodies.size(), Vec3{NAN, NAN, NAN});
    const auto galaxies = bodies.galaxies();
    std::vector<Vec3> scratch;
    return find_cpu_kernel(simd_case.kernel)
        ->evaluate({.position = bodies.position,
                    .mass = bodies.mass,
                    .galaxies = galaxies,
                    .softening_squared = softening_squared,
                    .threads = threads,
                    .interrupt = interrupt,
                    .acceleration = acceleration,
                    .scratch = &scratch,
                    .tree = {.alpha = 0.0},
                    .instructions = simd_case.set});
  }

  /// |a - a_double| / |a_double| of every body, sorted.
  std::vector<double> errors() const {
    const auto galaxies = bodies.galaxies();
    const ForceState state{bodies.position, bodies.velocity, bodies.mass, bodies.charge};
    std::vector<double> found;
    for (const auto& galaxy : galaxies) {
      for (std::size_t i = galaxy.first; i < galaxy.last; ++i) {
        const auto exact =
            gravity_law.acceleration(state, {.softening_squared = softening_squared}, i, galaxy);
        const double size = norm(exact);
        found.push_back(norm(DVec3(acceleration[i]) - exact) / (size > 0.0 ? size : 1.0));
      }
    }
    std::ranges::sort(found);
    return found;
  }
};

/// `count` massless bodies at distances from `nearest` on, each `factor` farther, around one of mass 1.
Bodies ruler(std::size_t count, double nearest, double factor) {
  Bodies bodies;
  bodies.resize(count + 1);
  bodies.mass[0] = 1.0F;
  for (std::size_t i = 1; i <= count; ++i, nearest *= factor)
    bodies.position[i] = {static_cast<float>(nearest), 0.0F, 0.0F};
  return bodies;
}

class Simd : public testing::TestWithParam<SimdCase> {
 protected:
  void SetUp() override {
    if (const auto reason = why_not_here(*GetParam().set); !reason.empty()) GTEST_SKIP() << reason;
  }
  bool in_double() const { return GetParam().kernel == "simd-double"; }
};
INSTANTIATE_TEST_SUITE_P(Kernels, Simd, testing::ValuesIn(simd_cases()),
                         [](const auto& instance) { return instance.param.name(); });

TEST_P(Simd, InverseCubesAreExactToTheStatedBound) {
  // All mantissas and even and odd exponents of r^2. An error of 5e-7 in 1/r is one of 1.5e-6 in its cube.
  Evaluation one{.bodies = ruler(5000, 0.3, 1.0012), .softening_squared = 1e-20F};
  ASSERT_TRUE(one.run(GetParam()));
  const auto errors = one.errors();
  const double bound = in_double() ? 6.1e-8 : GetParam().set->name == "avx512" ? 4e-7 : 1.5e-6;
  EXPECT_LT(errors.back(), bound);
  EXPECT_GT(errors.back(), 1e-9) << "nothing was compared";
}

TEST_P(Simd, ErrorsOfForces) {
  Evaluation one{.bodies = ragged_bodies(4099)};
  ASSERT_TRUE(one.run(GetParam()));
  const auto errors = one.errors();
  EXPECT_LT(errors[errors.size() / 2], in_double() ? 3e-8 : 6e-7);
  EXPECT_LT(errors[errors.size() * 99 / 100], in_double() ? 6e-8 : 3e-6);
}

TEST_P(Simd, EveryNumberOfBodies) {
  for (std::size_t count = 1; count <= 130; ++count) {
    Evaluation one{.bodies = ragged_bodies(count), .threads = 2};
    ASSERT_TRUE(one.run(GetParam()));
    EXPECT_LT(one.errors().back(), 2e-5) << count << " bodies";
  }
}

TEST_P(Simd, EveryNumberOfThreadsGivesTheSameBits) {
  for (const std::uint32_t galaxies : {1U, 5U}) {
    Evaluation one{.bodies = ragged_bodies(2345, galaxies)};
    ASSERT_TRUE(one.run(GetParam()));
    EXPECT_LT(one.errors().back(), 5e-5);
    for (const int threads : {2, 3, 4, 7}) {
      auto other = one;
      other.threads = threads;
      ASSERT_TRUE(other.run(GetParam()));
      EXPECT_TRUE(checks::same_bits(one.acceleration, other.acceleration)) << threads << " threads";
    }
  }
}

TEST_P(Simd, CoincidentBodiesWithoutSofteningExertNoForceOnEachOther) {
  Evaluation one{.bodies = ragged_bodies(70), .softening_squared = 0.0F};
  one.bodies.position[7] = one.bodies.position[3];
  ASSERT_TRUE(one.run(GetParam()));
  EXPECT_LT(one.errors().back(), 2e-5);
}

TEST_P(Simd, BodiesThatEscapedStayFinite) {
  for (const float softening_squared : {0.0F, 0.01F}) {
    Evaluation one{.bodies = ragged_bodies(70), .softening_squared = softening_squared};
    one.bodies.position[11] = {3e19F, -2e20F, 1e19F};
    one.bodies.position[12] = {1e18F, 0.0F, 0.0F};
    ASSERT_TRUE(one.run(GetParam()));
    EXPECT_TRUE(std::ranges::all_of(one.acceleration, [](const Vec3& a) { return is_finite(a); }));
    EXPECT_LT(one.errors()[60], 2e-5) << "the others feel each other";
  }
}

/// Half of the bodies at either of two places: each pair of different places pulls alike, the others do not
/// at all. So the accelerations count the pairs.
struct CountedPairs {
  static constexpr std::size_t count = 400'000;
  static constexpr double softening_squared = 0.0025;

  static Bodies bodies(std::size_t some = count) {
    Bodies bodies;
    bodies.resize(some);
    for (std::size_t i = 0; i < some; ++i) {
      bodies.position[i].x = i % 2 == 0 ? -1.0F : 1.0F;
      bodies.mass[i] = 1.0F;
    }
    return bodies;
  }
  /// The share of all pairs.
  static double share(const std::vector<Vec3>& acceleration) {
    double sum = 0.0;
    for (const auto& a : acceleration) sum += std::isfinite(a.x) ? std::abs(double{a.x}) : 0.0;
    return sum / (2.0 * std::pow(4.0 + softening_squared, -1.5) * count * (0.5 * count));
  }
};

TEST_P(Simd, AnInterruptEndsALongEvaluation) {
  std::atomic<bool> stop{true};
  Evaluation one{.bodies = CountedPairs::bodies(), .threads = 2, .interrupt = &stop};
  EXPECT_FALSE(one.run(GetParam()));
  EXPECT_LT(CountedPairs::share(one.acceleration), 0.1);
  // The whole takes many seconds.
  stop = false;
  std::jthread asking([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  EXPECT_FALSE(one.run(GetParam()));
  EXPECT_LT(CountedPairs::share(one.acceleration), 0.9);
}

TEST_P(Simd, CountedPairsAreAllWithoutAnInterrupt) {
  Evaluation few{.bodies = CountedPairs::bodies(4000), .threads = 2};
  ASSERT_TRUE(few.run(GetParam()));
  constexpr double part = 4000.0 / CountedPairs::count;
  EXPECT_NEAR(CountedPairs::share(few.acceleration) / (part * part), 1.0, 1e-3);
}

TEST(InstructionSets, NamesAndWhatRunsHere) {
  const auto& best = instruction_set("auto");
  EXPECT_TRUE(why_not_here(best).empty());
  // Without vectors every CPU computes, and all get the same bits.
  EXPECT_EQ(instruction_sets().back().name, "scalar");
  EXPECT_TRUE(why_not_here(instruction_sets().back()).empty());
  for (const auto& set : instruction_sets()) {
    EXPECT_EQ(why_not_here(set).empty(), instruction_set(set.name).name == set.name) << set.name;
    EXPECT_FALSE(set.meaning.empty());
  }
}

TEST(InstructionSets, OneThatIsNotHereIsRefusedWithTheReason) {
  const auto& table = checks::simulation_options();
  auto settings = table.defaults();
  table.assign(settings, "engine=cpu");
  for (const auto& set : instruction_sets()) {
    table.assign(settings, "instructions=" + std::string(set.name));
    if (why_not_here(set).empty()) {
      EXPECT_NO_THROW(table.check(settings)) << set.name;
    } else {
      EXPECT_THROW(table.check(settings), UsageError) << set.name;
    }
  }
  table.assign(settings, "instructions=auto");
  EXPECT_NO_THROW(table.check(settings));
}

TEST(InstructionSets, WithoutVectorsTheBitsAreThoseOfEveryMachine) {
  Evaluation one{.bodies = ruler(2999, 0.3, 1.0012), .softening_squared = 1e-20F};
  ASSERT_TRUE(one.run({"simd", &instruction_set("scalar")}));
  Fnv1a<std::uint64_t> hash;
  for (std::size_t i = 1; i < one.bodies.size(); ++i)
    hash.add_word(std::bit_cast<std::uint32_t>(one.acceleration[i].x));
  EXPECT_EQ(hash.value(), 0xe3f5f4500b840a5fU);
}

TEST(InstructionSets, OtherSetsGiveOtherLastBits) {
  const SimdCase widest{"simd", &instruction_set("auto")}, narrowest{"simd", &instruction_sets().back()};
  Evaluation one{.bodies = ragged_bodies(300)}, other = one;
  ASSERT_TRUE(one.run(widest) && other.run(narrowest));
  EXPECT_FALSE(checks::same_bits(one.acceleration, other.acceleration)) << "the option chooses nothing";
}

}  // namespace
}  // namespace orrery::sim
