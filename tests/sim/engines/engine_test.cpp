#include "sim/engines/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <set>
#include <thread>

#include "engine_cases.h"
#include "sim/core/error.h"
#include "sim/cpu/kernel.h"
#include "sim/options/engine_option.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::all_forces;
using checks::bounded_error;
using checks::configuration_of;
using checks::EngineCase;
using checks::largest_difference;
using checks::loaded;
using checks::ragged_bodies;
using checks::same_bits;

class EngineSuite : public testing::TestWithParam<EngineCase> {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
  }
  Configuration configuration(const std::vector<std::string>& more = {}) const {
    return configuration_of(GetParam(), more);
  }
  static double force_bound() { return checks::force_bound(GetParam()); }
  static Configuration sequential(const std::vector<std::string>& more = {}) {
    return configuration_of({.name = "", .assignments = {"kernel=sequential"}}, more);
  }
};

/// Runs of thousands of steps: of cases that share their kernels one is enough.
class EngineOrbits : public EngineSuite {};
/// Steps in pieces: one layout of each family is enough.
class EnginePieces : public EngineSuite {};

const auto name_of = [](const auto& instance) { return instance.param.name; };

// One program of the suites for the CPU, one for the GPU, and one for an emulated GPU.
#ifdef ORRERY_TEST_EMULATED
constexpr auto all_cases = checks::emulated_cases;
#define ORRERY_INSTANTIATE(suite, cases) \
  INSTANTIATE_TEST_SUITE_P(Emulated, suite, testing::ValuesIn(cases), name_of)
#elif defined(ORRERY_TEST_CUDA)
constexpr auto all_cases = checks::cuda_cases;
#define ORRERY_INSTANTIATE(suite, cases) \
  INSTANTIATE_TEST_SUITE_P(Cuda, suite, testing::ValuesIn(cases), name_of)
#else
constexpr auto all_cases = checks::engine_cases;
#define ORRERY_INSTANTIATE(suite, cases) \
  INSTANTIATE_TEST_SUITE_P(Engines, suite, testing::ValuesIn(cases), name_of)
#endif

template <typename Wanted>
std::vector<EngineCase> cases_that(const Wanted& wanted) {
  auto cases = all_cases();
  std::erase_if(cases, [&](const EngineCase& each) { return !wanted(each); });
  return cases;
}

ORRERY_INSTANTIATE(EngineSuite, all_cases());
ORRERY_INSTANTIATE(EngineOrbits, cases_that([](const EngineCase& each) { return each.orbits; }));
ORRERY_INSTANTIATE(EnginePieces, cases_that([](const EngineCase& each) {
                     return each.orbits || (each.products && each.cuda);
                   }));

TEST_P(EngineSuite, ForcesAreRightForRaggedNumbersOfBodies) {
  for (const std::size_t count : {1U, 2U, 3U, 31U, 33U, 63U, 64U, 65U, 255U, 257U, 1000U, 4099U}) {
    if (count > 1000 && !GetParam().cuda) continue;
    const auto sample = all_forces(configuration(), ragged_bodies(count));
    const auto error = force_error(sample);
    EXPECT_EQ(error.sample, count);
    // Of every body, not only of half of them.
    EXPECT_LT(checks::largest_error_of_pulls(sample), checks::pull_bound) << count << " bodies";
    // Of few bodies the median is that of a few pairs.
    const double bound = force_bound() * (GetParam().products && count < 100 ? 10.0 : 1.0);
    EXPECT_LT(bounded_error(GetParam(), error), bound) << count << " bodies";
  }
}

/// 1000 times the mass of the Sun over `size` metres, in SI units.
Bodies cluster_in_metres(float size) {
  auto bodies = ragged_bodies(257);
  for (auto& x : bodies.position) x *= size;
  for (auto& v : bodies.velocity) v *= 1e3F;
  for (auto& m : bodies.mass) m *= 2e33F;
  return bodies;
}

TEST_P(EngineSuite, ForcesAreRightInSiUnits) {
  for (const float size : {3e16F, 3e18F}) {
    // Not less: tensor-sum errs by 2e-3 at a hundredth (docs/performance.md).
    const auto softening = "softening=" + std::to_string(double{size} * 0.05);
    const auto forces = all_forces(configuration({"gravity=6.6743e-11", softening, "time-step=1e9"}),
                                   cluster_in_metres(size));
    EXPECT_LT(bounded_error(GetParam(), force_error(forces)), force_bound()) << size << " m";
    EXPECT_EQ(forces.mass, cluster_in_metres(size).mass);
    EXPECT_FLOAT_EQ(static_cast<float>(forces.physics.time_step), 1e9F);
  }
}

TEST_P(EngineSuite, ForcesEqualThoseOfTheSequentialKernel) {
  const auto bodies = ragged_bodies(257);
  const auto mine = all_forces(configuration(), bodies).acceleration;
  const auto expected = all_forces(sequential(), bodies).acceleration;
  if (GetParam().same_bits) {
    EXPECT_TRUE(same_bits(mine, expected));
  } else {
    // Sums in another order: the stated bound.
    for (std::size_t i = 0; i < mine.size(); ++i)
      EXPECT_LT(norm(mine[i] - expected[i]), (GetParam().products ? 0.1 : force_bound()) * norm(expected[i]));
  }
}

TEST_P(EngineSuite, StepsEqualThoseOfTheSequentialKernelForEveryIntegrator) {
  const auto bodies = ragged_bodies(100, 3);
  for (const char* name : {"leapfrog", "symplectic-euler", "explicit-euler", "forest-ruth"}) {
    const std::string assignment = std::string("integrator=") + name;
    const auto mine = after(*loaded(configuration({assignment}), bodies), bodies, 5);
    const auto expected = after(*loaded(sequential({assignment}), bodies), bodies, 5);
    EXPECT_TRUE(!GetParam().same_bits || same_bits(mine.position, expected.position)) << name;
    EXPECT_LT(largest_difference(mine.position, expected.position), GetParam().products ? 1e-3 : 1e-5)
        << name;
    EXPECT_GT(largest_difference(mine.position, bodies.position), 1e-3) << name;
  }
}

TEST_P(EngineSuite, GalaxiesDoNotFeelEachOther) {
  const auto bodies = ragged_bodies(90, 4);
  EXPECT_LT(bounded_error(GetParam(), force_error(all_forces(configuration(), bodies))), force_bound());
  const auto together = after(*loaded(configuration(), bodies), bodies, 3);
  const auto ranges = bodies.galaxies();
  Bodies alone;
  alone.resize(ranges[1].size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    alone.position[i] = bodies.position[ranges[1].first + i];
    alone.velocity[i] = bodies.velocity[ranges[1].first + i];
    alone.mass[i] = bodies.mass[ranges[1].first + i];
  }
  alone = after(*loaded(configuration(), alone), alone, 3);
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_LT(norm(alone.position[i] - together.position[ranges[1].first + i]), 1e-6F);
  }
}

TEST_P(EngineSuite, CoincidentAndMasslessBodiesWithoutSofteningStayFinite) {
  auto bodies = ragged_bodies(20);
  bodies.position[7] = bodies.position[3];
  bodies.mass[5] = 0.0F;
  const auto moved = after(*loaded(configuration({"softening=0"}), bodies), bodies, 2);
  EXPECT_TRUE(std::ranges::all_of(moved.position, [](const Vec3& x) { return is_finite(x); }));
}

TEST_P(EngineOrbits, KeplerErrorsFallWithTheSquareOfTheStep) {
  const auto chosen = configuration();
  EXPECT_TRUE(
      checks::kepler_order_is(checks::advance_by(chosen), 2.0, GetParam().cuda ? 1 : 10, physics_of(chosen)));
}

TEST_P(EngineOrbits, ForestRuthErrorsFallWithTheFourthPowerOfTheStep) {
  const auto order = [&](const char* integrator) {
    const auto chosen = configuration({integrator});
    const auto error = [&](std::size_t steps) {
      return lab::kepler_energy_error(
          checks::advance_by(chosen), physics_of(chosen),
          {.eccentricity = 0.3, .steps_per_orbit = steps, .orbits = GetParam().cuda ? 1U : 3U, .looks = 20});
    };
    return std::log2(error(40) / error(80));
  };
  EXPECT_NEAR(order("integrator=forest-ruth"), 4.0, 0.4);
  EXPECT_LT(order("integrator=leapfrog"), 2.4);
}

TEST_P(EngineOrbits, MomentumIsConserved) {
  const auto chosen = configuration();
  EXPECT_TRUE(checks::momentum_is_conserved(checks::advance_by(chosen), physics_of(chosen)));
}

/// Where bodies come back to main memory after every step accelerations stay behind.
bool publishes_accelerations(const Configuration& configuration) {
  return is_on_cpu(configuration) || configuration.choice("transfers") == "resident";
}

TEST_P(EngineSuite, PublishedArraysHoldTheState) {
  const auto bodies = ragged_bodies(65);
  const auto engine = loaded(configuration(), bodies);
  const auto moved = after(*engine, bodies, 1);
  std::vector<float> position(4 * bodies.size(), NAN);
  std::vector<float> velocity(4 * bodies.size(), NAN);
  engine->write_vertices({.position = position.data(), .velocity = velocity.data(), .bodies = bodies.size()});
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Vec3 x{position[4 * i], position[4 * i + 1], position[4 * i + 2]};
    const Vec3 v{velocity[4 * i], velocity[4 * i + 1], velocity[4 * i + 2]};
    EXPECT_EQ(x, moved.position[i]);
    EXPECT_EQ(v, moved.velocity[i]);
    EXPECT_EQ(position[4 * i + 3], bodies.mass[i]);
    EXPECT_EQ(velocity[4 * i + 3] > 0.0F, publishes_accelerations(configuration()));
  }
}

TEST_P(EngineSuite, PublishedArraysHoldTheSquareOfTheAccelerationOfTheLastStep) {
  if (!publishes_accelerations(configuration())) GTEST_SKIP() << "accelerations stay on the GPU";
  for (const char* integrator : {"integrator=leapfrog", "integrator=symplectic-euler"}) {
    const auto bodies = ragged_bodies(65);
    const auto engine = loaded(configuration({integrator}), bodies);
    engine->observe({.forces = bodies.size(), .seed = 1});
    while (!engine->advance({})) {
    }
    engine->finish();
    const auto sample = engine->poll().forces;
    ASSERT_TRUE(sample);
    std::vector<float> position(4 * bodies.size()), velocity(4 * bodies.size(), NAN);
    engine->write_vertices(
        {.position = position.data(), .velocity = velocity.data(), .bodies = bodies.size()});
    engine->finish();
    for (std::size_t k = 0; k < sample->index.size(); ++k) {
      const double expected = dot(DVec3(sample->acceleration[k]), DVec3(sample->acceleration[k]));
      EXPECT_NEAR(velocity[4 * sample->index[k] + 3], expected, 1e-4 * expected) << integrator << k;
    }
  }
}

/// And of the heaviest bodies.
TEST_P(EngineSuite, ASampleIsOfTheBodiesInThePlan) {
  auto bodies = ragged_bodies(130, 2);
  bodies.mass[77] = 1000.0F;
  const auto plan = std::make_shared<const StratifiedSample>(
      StratifiedSample{.of = 130, .evenly = {3, 40, 129}, .strata = {{"some", {5, 40, 60}}}});
  const auto sampled = [&](const SampleRequest& wanted) {
    const auto engine = loaded(configuration(), bodies);
    engine->observe(wanted);
    while (!engine->advance({})) {
    }
    engine->finish();
    return engine->poll().forces.value();
  };
  const auto all = sampled({.forces = 130, .seed = 1});
  const auto some = sampled({.forces = 5, .seed = 1, .plan = plan});
  EXPECT_EQ(some.index, (std::vector<std::size_t>{3, 5, 40, 60, 77, 129}));
  EXPECT_EQ(some.plan, plan);
  ASSERT_EQ(some.acceleration.size(), some.index.size());
  for (std::size_t k = 0; k < some.index.size(); ++k) {
    const Vec3 expected = all.acceleration[some.index[k]];
    EXPECT_LT(norm(some.acceleration[k] - expected), 0.05F * norm(expected)) << some.index[k];
  }
}

TEST_P(EngineSuite, PublishingIntoTooLittleMemoryIsRefused) {
  const auto engine = loaded(configuration(), ragged_bodies(10));
  std::vector<float> memory(40);
  EXPECT_THROW(engine->write_vertices({.position = memory.data(), .velocity = memory.data(), .bodies = 9}),
               Error);
}

TEST_P(EngineSuite, AnInterruptedStepLeavesTheStateAndIsRepeated) {
  const auto bodies = ragged_bodies(300);
  const auto engine = loaded(configuration(), bodies);
  const auto undisturbed = after(*loaded(configuration(), bodies), bodies, 2);
  EXPECT_TRUE(engine->advance({}));
  const auto before = after(*engine, bodies, 0);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(engine->advance({.interrupt = &stop}));
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, before.position));
  EXPECT_EQ(engine->status().steps, 1U);
  const auto repeated = after(*engine, bodies, 1);
  EXPECT_LT(largest_difference(repeated.position, undisturbed.position), 1e-6);
}

/// Steps as the viewer makes them: queued in pieces, looked at in between, the kernel switched on the way.
void expect_complete_states_only(const Configuration& configuration, const Bodies& bodies) {
  constexpr std::uint64_t steps = 4;
  std::vector<Bodies> states{bodies};
  const auto whole = loaded(configuration, bodies);
  while (states.size() <= steps) states.push_back(after(*whole, bodies, 1));
  const auto engine = loaded(configuration, bodies);
  auto switched = configuration;
  switched.set("unroll", std::int64_t{2});
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(4);
  auto seen = bodies;
  for (int turn = 0; engine->status().steps < steps; ++turn) {
    ASSERT_LT(std::chrono::steady_clock::now(), limit) << "after " << engine->status().steps << " steps";
    engine->advance({.time = std::chrono::milliseconds(1)});
    engine->read_back(seen);
    ASSERT_LT(largest_difference(seen.position, states.at(engine->status().steps).position), 1e-4)
        << engine->status().steps;
    if (turn == 1 || turn == 20) engine->configure(turn == 1 ? switched : configuration);
  }
  // The kernel that was chosen last may not have computed yet.
  engine->advance({});
  engine->finish();
  EXPECT_GT(engine->status().timings.force_ms, 0.0);
}

TEST_P(EnginePieces, PiecesOfStepsAddUpAndOnlyCompleteOnesAreSeen) {
  const checks::ShortSlices cut(0.5);
  const bool cuda = GetParam().cuda;
  for (const char* integrator :
       {"integrator=leapfrog", "integrator=symplectic-euler", "integrator=forest-ruth"}) {
    const auto settings = configuration({integrator, "time-step=0.01"});
    // More launches than are queued at once, none of which is long; then one galaxy that takes several
    // slices.
    expect_complete_states_only(settings, ragged_bodies(cuda ? 3000 : 60, cuda ? 300 : 7));
    expect_complete_states_only(settings, ragged_bodies(cuda ? 20001 : 101, 1));
  }
}

TEST_P(EngineSuite, ChangingTheConfigurationKeepsTheState) {
  const auto bodies = ragged_bodies(50);
  const auto engine = loaded(sequential(), bodies);
  const auto before = after(*engine, bodies, 3);
  engine->configure(configuration());
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, before.position));
  EXPECT_EQ(engine->status().steps, 3U);
  EXPECT_DOUBLE_EQ(engine->status().time, 0.03);
  const auto later = after(*engine, bodies, 2);
  const auto expected = after(*loaded(sequential(), bodies), bodies, 5);
  EXPECT_LT(largest_difference(later.position, expected.position), GetParam().products ? 1e-3 : 1e-5);
}

TEST_P(EngineSuite, ARefusedConfigurationIsNotTaken) {
  const auto bodies = ragged_bodies(50);
  const auto engine = loaded(configuration(), bodies);
  const auto before = after(*engine, bodies, 1);
  auto refused = configuration({"gravity=2", "time-step=0.5", "force-law=electric"});
  const bool gpu = is_on_gpu(refused);
  refused.set(gpu ? "family" : "kernel", std::string(gpu ? "tensor" : "simd-pair-symmetric"));
  EXPECT_THROW(engine->configure(refused), Error);
  EXPECT_TRUE(same_bits(after(*engine, bodies, 0).position, before.position));
  const auto expected = after(*loaded(configuration(), bodies), bodies, 3);
  const auto mine = after(*engine, bodies, 2);
  EXPECT_LT(largest_difference(mine.position, expected.position), 1e-6) << "the old one is in force";
  EXPECT_DOUBLE_EQ(engine->status().time, 0.03);
}

TEST_P(EngineSuite, TimingsCountInteractionsOfAllGalaxies) {
  const auto bodies = ragged_bodies(64, 2);
  const auto engine = loaded(configuration(), bodies);
  engine->advance({});
  engine->finish();
  const auto timings = engine->status().timings;
  EXPECT_EQ(timings.interactions, interactions_per_evaluation(bodies.galaxies()));
  EXPECT_GT(timings.force_ms, 0.0);
  EXPECT_GE(timings.evaluations, 1U);
}

TEST_P(EngineSuite, FewerBodiesThanThreadsWork) {
  const auto bodies = ragged_bodies(1);
  auto settings = configuration();
  settings.set("threads", std::int64_t{16});
  const auto moved = after(*loaded(settings, bodies), bodies, 2);
  const Vec3 expected = bodies.position[0] + 0.02F * bodies.velocity[0];
  EXPECT_LT(norm(moved.position[0] - expected), 1e-6F);
}

// What no GPU computes runs in the CPU's program only.
#if !defined(ORRERY_TEST_CUDA) && !defined(ORRERY_TEST_EMULATED)
Configuration sequential_with(const std::string& assignment) {
  return configuration_of({.name = "", .assignments = {"kernel=sequential"}}, {"engine=cpu", assignment});
}

// A median would not see it.
TEST(Engine, OneBodyWithAWrongForceIsNoticed) {
  auto sample = all_forces(sequential_with("softening=0.05"), ragged_bodies(257));
  EXPECT_LT(checks::largest_error_of_pulls(sample), 1e-5);
  // As if it were left out among the sources of one body, near it.
  sample.acceleration[100] *= 1.2F;
  EXPECT_GT(checks::largest_error_of_pulls(sample), checks::pull_bound);
  EXPECT_LT(force_error(sample).median, 1e-5);
  sample.acceleration[3].x = NAN;
  EXPECT_TRUE(std::isinf(checks::largest_error_of_pulls(sample)));
}

TEST(Engine, EveryThreadCountGivesTheSameBits) {
  const auto bodies = ragged_bodies(333, 2);
  std::set<std::string> compared;
  for (const auto& engine_case : checks::engine_cases()) {
    if (!engine_case.any_threads) continue;
    const auto one = configuration_of(engine_case, {"threads=1"});
    const auto all = configuration_of(engine_case);
    EXPECT_TRUE(same_bits(after(*loaded(one, bodies), bodies, 4).position,
                          after(*loaded(all, bodies), bodies, 4).position))
        << engine_case.name;
    compared.insert(all.choice("kernel"));
  }
  // sequential, omp-galaxies, omp-bodies, omp-region and those with vector instructions promise it.
  EXPECT_GE(compared.size(), 6U);
}

TEST(Engine, ObservationsAreAskedForOneBesideTheOther) {
  const auto bodies = ragged_bodies(300);
  auto settings = checks::simulation_options().defaults();
  settings.set("engine", std::string("cpu"));
  const auto engine = loaded(settings, bodies);
  engine->observe({.forces = 20, .seed = 3});
  engine->observe({.timeline = true});
  engine->observe({.forces = 7, .seed = 4});
  EXPECT_FALSE(engine->poll().forces.has_value()) << "no step was made";
  engine->advance({});
  const auto arrived = engine->poll();
  ASSERT_TRUE(arrived.forces.has_value());
  EXPECT_EQ(arrived.forces->index.size(), 7U) << "the newer one";
  EXPECT_TRUE(arrived.timeline.has_value());
  EXPECT_TRUE(arrived.published);
  const auto again = engine->poll();
  EXPECT_FALSE(again.forces.has_value());
  EXPECT_FALSE(again.timeline.has_value());
}

TEST(Engine, TheProcessorsReportSaysWhatComputes) {
  auto settings = checks::simulation_options().defaults();
  settings.set("engine", std::string("cpu"));
  settings.set("kernel", std::string("simd"));
  settings.set("instructions", std::string("scalar"));
  settings.set("threads", std::int64_t{2});
  const auto engine = loaded(settings, ragged_bodies(40));
  const auto with_vectors = engine->report();
  EXPECT_EQ(with_vectors.device, "") << "the CPU";
  EXPECT_EQ(with_vectors.number("threads"), 2.0);
  EXPECT_EQ(with_vectors.text("instructions"), "scalar");
  settings.set("kernel", std::string("sequential"));
  engine->configure(settings);
  EXPECT_EQ(engine->report().number("threads"), 1.0) << "the option means nothing to this kernel";
  EXPECT_EQ(engine->report().text("instructions"), "");
}

/// Every CPU kernel, also the one that does the whole step by itself.
TEST(Engine, ATimelineOfTheCpuHoldsTheStepItWasAskedFor) {
  const auto bodies = ragged_bodies(400);
  for (const auto* kernel : cpu_kernels()) {
    SCOPED_TRACE(kernel->name);
    auto settings = checks::simulation_options().defaults();
    settings.set("engine", std::string("cpu"));
    settings.set("kernel", std::string(kernel->name));
    const auto engine = loaded(settings, bodies);
    engine->advance({});
    EXPECT_FALSE(engine->poll().timeline.has_value()) << "nobody asked";
    engine->observe({.timeline = true});
    EXPECT_FALSE(engine->poll().timeline.has_value()) << "no step was made";
    const auto start = std::chrono::steady_clock::now();
    engine->advance({});
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    const auto timeline = engine->poll().timeline;
    ASSERT_TRUE(timeline.has_value());
    EXPECT_FALSE(engine->poll().timeline.has_value());
    EXPECT_EQ(timeline->schedule, kernel->name == automatic_kernel ? "simd" : kernel->name);
    ASSERT_EQ(timeline->spans.size(), 3U);
    double end = 0.0;
    for (const auto& span : timeline->spans) {
      EXPECT_GE(span.start_ms, end - 1e-3);
      EXPECT_GE(span.end_ms, span.start_ms);
      end = span.end_ms;
    }
    EXPECT_LE(end, elapsed.count());
    const auto& forces = timeline->spans[1];
    EXPECT_EQ(forces.activity, TimelineKind::forces);
    EXPECT_NEAR(forces.end_ms - forces.start_ms, engine->status().timings.force_ms, 1e-3);
    engine->advance({});
    EXPECT_FALSE(engine->poll().timeline.has_value()) << "one step only";
  }
}

/// A callback in the middle of a kernel's step may run out of memory: nothing may leave a parallel region
/// by an exception.
TEST(Engine, AnExceptionInTheMiddleOfAStepReachesTheCaller) {
  int kernels = 0;
  for (const auto* kernel : cpu_kernels()) {
    if (kernel->step == nullptr) continue;
    ++kernels;
    auto bodies = ragged_bodies(50);
    std::vector<Vec3> acceleration(bodies.size());
    const auto galaxies = bodies.galaxies();
    const auto step = [&](std::function<void()> after_forces) {
      StepProblem problem{.force = {.position = bodies.position,
                                    .mass = bodies.mass,
                                    .galaxies = galaxies,
                                    .softening_squared = 0.01F,
                                    .threads = 4,
                                    .acceleration = acceleration},
                          .motion = {bodies.position, bodies.velocity, acceleration},
                          .integrator = find_integrator("leapfrog"),
                          .dt = 0.01F,
                          .after_forces = std::move(after_forces)};
      return kernel->step(problem);
    };
    EXPECT_THROW(step([] { throw std::bad_alloc(); }), std::bad_alloc) << kernel->name;
    EXPECT_TRUE(step([] {})) << kernel->name << ": it can go on";
  }
  EXPECT_GT(kernels, 0);
}

TEST(Engine, EveryForceEvaluationOfAStepIsCountedAndSeen) {
  const auto bodies = ragged_bodies(60);
  for (const char* kernel : {"sequential", "omp-region"}) {
    auto settings = sequential_with("integrator=forest-ruth");
    settings.set("kernel", std::string(kernel));
    const auto engine = loaded(settings, bodies);
    engine->observe({.forces = bodies.size(), .seed = 1, .timeline = true});
    engine->advance({});
    engine->advance({});
    EXPECT_EQ(engine->status().timings.evaluations, 6U) << kernel;
    const auto observed = engine->poll();
    const auto& timeline = observed.timeline;
    ASSERT_TRUE(timeline.has_value());
    EXPECT_EQ(timeline->spans.size(), 7U) << kernel;
    // The sample's positions are those of its forces.
    EXPECT_LT(force_error(observed.forces.value()).maximum, 1e-4) << kernel;
  }
}

TEST(Engine, NoBodiesMakeNoStep) {
  const auto engine = loaded(checks::simulation_options().defaults(), Bodies{});
  EXPECT_FALSE(engine->advance({}));
  EXPECT_EQ(engine->status().steps, 0U);
}

TEST(Engine, ReadBackOfAnotherSizeIsRefused) {
  const auto engine = loaded(checks::simulation_options().defaults(), ragged_bodies(4));
  Bodies five = ragged_bodies(5);
  EXPECT_THROW(engine->read_back(five), Error);
}

#endif

}  // namespace
}  // namespace orrery::sim
