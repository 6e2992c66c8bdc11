// Integrators that look back to the begin of a step, and steps in parts, on a GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/physics/diagnostics/force_error.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using Assignments = std::vector<std::string>;

Assignments with(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

Configuration configured(const Assignments& assignments) {
  return checks::configuration_of({.assignments = assignments});
}

std::unique_ptr<Engine> made(const Bodies& start, const Assignments& assignments) {
  return checks::loaded(configured(assignments), start);
}

Bodies after(const Bodies& start, const Assignments& assignments, int steps) {
  const auto engine = made(start, assignments);
  for (int step = 0; step < steps;) step += engine->advance({}) ? 1 : 0;
  engine->finish();
  auto end = start;
  engine->read_back(end);
  return end;
}

class IntegratorsCuda : public testing::Test {
 protected:
  void SetUp() override {
    const checks::EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
  static std::int64_t parts(const Engine& engine) {
    const auto report = engine.report();
    const auto found = std::ranges::find(report.facts, "parts_of_step", &Fact::key);
    return found == report.facts.end() ? 0 : std::get<std::int64_t>(found->value);
  }
};

const Assignments physics{"softening=0.1", "time-step=0.02"};

/// All ways through the engine, against the CPU.
void expect_as_on_the_processor(const Bodies& start, const Assignments& what,
                                const std::vector<Assignments>& forms) {
  const auto right = after(start, with(with({"engine=cpu", "kernel=sequential"}, physics), what), 30);
  for (const auto& form : forms) {
    const auto end = after(start, with(with(with({"engine=cuda"}, physics), what), form), 30);
    EXPECT_LT(checks::largest_difference(end.position, right.position), 2e-4)
        << testing::PrintToString(what) << testing::PrintToString(form);
    EXPECT_LT(checks::largest_difference(end.velocity, right.velocity), 1e-3)
        << testing::PrintToString(what) << testing::PrintToString(form);
  }
}

TEST_F(IntegratorsCuda, RungeKuttaMovesBodiesAsOnTheProcessor) {
  const std::vector<Assignments> forms{
      {},
      {"schedule=serial"},
      {"schedule=streams"},
      {"schedule=phased", "streams=2"},
      {"schedule=graph"},
      {"layout=soa", "passing=members"},
      {"layout=aos-mass", "passing=pointer"},
      {"precision=double"},
      {"state-precision=compensated"},
      {"state-precision=single"},
      {"family=register-split"},
      {"family=galaxy-block"},
      {"family=tiled-2d", "loads=plain", "constants=constant-memory"},
      {"loads=plain", "constants=constant-memory-all", "schedule=serial"},
      {"map-size=16", "map-count=update"},
      {"transfers=round-trip", "state-precision=single"},
  };
  const auto start = checks::ragged_bodies(700, 3);
  expect_as_on_the_processor(start, {"integrator=rk4"}, forms);
  {
    const checks::ShortSlices cut(0.5);
    expect_as_on_the_processor(start, {"integrator=rk4"}, {{}});
  }
  expect_as_on_the_processor(start, {"integrator=rk4", "external-field=nfw:2"},
                             {{}, {"schedule=graph"}, {"state-precision=single"}});
  expect_as_on_the_processor(start, {"integrator=rk4", "dimensions=2"}, {{}, {"layout=split"}});
  // With larger ones bodies would run away, on the CPU too.
  expect_as_on_the_processor(checks::charged_bodies(300),
                             {"integrator=rk4", "force-law=electric:1:0.005", "time-step=0.002"},
                             {{}, {"precision=double"}});
}

TEST_F(IntegratorsCuda, RungeKuttaMovesBodiesByTheTree) {
  const auto start = checks::ragged_bodies(3000);
  const auto right = after(start, with({"engine=cpu", "kernel=simd", "integrator=rk4"}, physics), 10);
  for (const char* schedule : {"schedule=serial", "schedule=graph"}) {
    const auto end =
        after(start, with({"engine=cuda", "family=tree", "integrator=rk4", schedule}, physics), 10);
    EXPECT_LT(checks::largest_difference(end.position, right.position), 1e-2) << schedule;
  }
}

TEST_F(IntegratorsCuda, HermiteMovesBodiesAsOnTheProcessor) {
  const std::vector<Assignments> forms{
      {},
      {"family=pairwise"},
      {"schedule=serial"},
      {"schedule=streams"},
      {"schedule=phased", "streams=2"},
      {"schedule=graph"},
      {"layout=soa", "passing=members"},
      {"layout=aos-mass", "passing=pointer"},
      {"precision=double"},
      {"state-precision=compensated"},
      {"state-precision=single"},
      {"block=1024"},
      {"block=64", "tile=64"},
      {"precision=double", "block=512"},
      {"loads=plain", "constants=constant-memory"},
      {"loads=plain", "constants=constant-memory-all", "schedule=serial"},
      {"map-size=16", "map-count=update"},
  };
  const auto start = checks::ragged_bodies(700, 3);
  expect_as_on_the_processor(start, {"integrator=hermite"}, forms);
  {
    const checks::ShortSlices cut(0.5);
    expect_as_on_the_processor(start, {"integrator=hermite"}, {{}});
  }
  expect_as_on_the_processor(start, {"integrator=hermite", "dimensions=2"}, {{}, {"layout=split"}});
  expect_as_on_the_processor(start, {"integrator=hermite", "softening=0.000001", "time-step=0.0001"}, {{}});
}

TEST_F(IntegratorsCuda, HermiteMovesBodiesInFieldsAsOnTheProcessor) {
  const std::vector<Assignments> forms{{},
                                       {"schedule=graph"},
                                       {"schedule=streams", "layout=soa", "passing=members"},
                                       {"state-precision=single"},
                                       {"precision=double", "family=pairwise"},
                                       {"loads=plain", "constants=constant-memory-all", "schedule=serial"}};
  const auto start = checks::ragged_bodies(700, 3);
  for (const auto* field : external_fields().subspan(1))
    expect_as_on_the_processor(
        start,
        {"integrator=hermite", checks::field_setting(*field, {.field_mass = 2.0}), "field-center=0.3:0:-0.2"},
        forms);
  expect_as_on_the_processor(start, {"integrator=hermite", "external-field=logarithmic", "dimensions=2"},
                             {{}, {"layout=split"}});
}

/// Two bodies of mass 1/2 at apocentre of an ellipse of period 2 pi.
Bodies ellipse(float eccentricity) {
  Bodies bodies;
  bodies.resize(2);
  const float v = 0.5F * std::sqrt((1.0F - eccentricity) / (1.0F + eccentricity));
  const float r = 0.5F * (1.0F + eccentricity);
  bodies.position = {{-r, 0, 0}, {r, 0, 0}};
  bodies.velocity = {{0, -v, 0}, {0, v, 0}};
  bodies.mass = {0.5F, 0.5F};
  return bodies;
}

/// At pericentre, where errors are largest: with twice as many steps 16 times smaller.
TEST_F(IntegratorsCuda, AreOfFourthOrder) {
  const auto start = ellipse(0.6F);
  const auto error = [&](const std::string& integrator, int steps) {
    auto configuration = configured(
        {"engine=cuda", "softening=0", "gravity=1", "integrator=" + integrator, "precision=double"});
    configuration.set("time-step", std::numbers::pi / steps);
    const auto engine = checks::loaded(configuration, start);
    const auto end = checks::after(*engine, start, steps);
    return norm(DVec3(end.position[0]) - DVec3{0.2, 0, 0});
  };
  for (const char* integrator : {"rk4", "hermite"})
    EXPECT_NEAR(std::log2(error(integrator, 60) / error(integrator, 120)), 4.0, 0.5) << integrator;
}

/// Another integrator leaves forces, but no jerks.
TEST_F(IntegratorsCuda, HermiteTakesOverFromLeapfrog) {
  const auto start = checks::ragged_bodies(300);
  const auto engine = made(start, with({"engine=cuda", "integrator=leapfrog"}, physics));
  const auto step = [&](Engine& which) {
    while (!which.advance({})) continue;
    which.finish();
    auto bodies = start;
    which.read_back(bodies);
    return bodies;
  };
  step(*engine);
  const auto half = step(*engine);
  engine->configure(configured(with({"engine=cuda", "integrator=hermite"}, physics)));
  const auto end = step(*engine);
  const auto fresh = after(half, with({"engine=cuda", "integrator=hermite"}, physics), 1);
  EXPECT_LT(checks::largest_difference(end.position, fresh.position), 2e-6);
}

const Assignments adaptive{"step=adaptive", "softening=0.01", "time-step=0.25"};

TEST_F(IntegratorsCuda, AdaptiveStepsAreCutAsOnTheProcessor) {
  const auto start = checks::ragged_bodies(60, 2);
  const auto cpu = made(start, with({"engine=cpu", "kernel=sequential"}, adaptive));
  const std::vector<Assignments> forms{{},
                                       {"family=pairwise"},
                                       {"family=register-split"},
                                       {"schedule=graph"},
                                       {"schedule=streams"},
                                       {"precision=double"},
                                       {"layout=soa"},
                                       {"state-precision=single"},
                                       {"integrator=velocity-verlet"}};
  ASSERT_TRUE(cpu->advance({}));
  const auto first = parts(*cpu);
  EXPECT_GT(first, 4);
  auto right = start;
  cpu->read_back(right);
  for (const auto& form : forms) {
    const auto gpu = made(start, with(with({"engine=cuda"}, adaptive), form));
    while (!gpu->advance({})) continue;
    EXPECT_NEAR(static_cast<double>(parts(*gpu)), static_cast<double>(first), 2.0)
        << testing::PrintToString(form);
    EXPECT_DOUBLE_EQ(gpu->status().time, 0.25);
    EXPECT_EQ(gpu->status().steps, 1U);
    gpu->finish();
    auto end = start;
    gpu->read_back(end);
    EXPECT_LT(checks::largest_difference(end.position, right.position), 1e-3) << testing::PrintToString(form);
  }
}

TEST_F(IntegratorsCuda, EvenStepsAreCutAsOnTheProcessor) {
  const auto start = checks::ragged_bodies(60, 2);
  const auto even = with(adaptive, {"step=even"});
  const auto cpu = made(start, with({"engine=cpu", "kernel=sequential"}, even));
  ASSERT_TRUE(cpu->advance({}));
  EXPECT_GT(parts(*cpu), 4);
  auto right = start;
  cpu->read_back(right);
  for (const auto& form : std::vector<Assignments>{{}, {"schedule=graph"}, {"family=tree"}, {"layout=soa"}}) {
    const auto gpu = made(start, with(with({"engine=cuda"}, even), form));
    while (!gpu->advance({})) continue;
    EXPECT_NEAR(static_cast<double>(parts(*gpu)), static_cast<double>(parts(*cpu)), 2.0);
    EXPECT_DOUBLE_EQ(gpu->status().time, 0.25);
    gpu->finish();
    auto end = start;
    gpu->read_back(end);
    EXPECT_LT(checks::largest_difference(end.position, right.position), 1e-3) << testing::PrintToString(form);
  }
}

TEST_F(IntegratorsCuda, AdaptiveStepsKeepAnEccentricOrbit) {
  const auto start = ellipse(0.9F);
  const auto radius = [](const Bodies& bodies) { return norm(DVec3(bodies.position[0])); };
  for (const char* form : {"family=tiled", "schedule=graph", "integrator=yoshida"}) {
    const auto end = after(start,
                           {"engine=cuda", "softening=0", "gravity=1", "step=adaptive:0.025:1",
                            "state-precision=compensated", "time-step=0.78539816339744831", form},
                           8);
    // Back at apocentre, where a late body is at nearly the same distance.
    EXPECT_NEAR(radius(end), radius(start), 1e-3) << form;
  }
}

TEST_F(IntegratorsCuda, AdaptiveStepsByTheTreeEndWithTheStep) {
  const auto start = checks::ragged_bodies(3000);
  const auto engine = made(start, with({"engine=cuda", "family=tree"}, adaptive));
  for (int step = 0; step < 2;) step += engine->advance({}) ? 1 : 0;
  EXPECT_GT(parts(*engine), 1);
  EXPECT_DOUBLE_EQ(engine->status().time, 0.5);
}

/// In slices of time, with interruptions and reads in between, as the window asks.
TEST_F(IntegratorsCuda, AnInterruptedStepHasTheSameBits) {
  const auto start = checks::ragged_bodies(700);
  for (const auto& what :
       std::vector<Assignments>{adaptive, with(adaptive, {"step=even"}),
                                with(physics, {"integrator=hermite"}), with(physics, {"integrator=rk4"})}) {
    const auto whole = after(start, with({"engine=cuda"}, what), 3);
    const auto engine = made(start, with({"engine=cuda"}, what));
    std::atomic<bool> now{false};
    auto middle = start;
    for (int step = 0, turn = 0; step < 3; ++turn) {
      now = turn % 3 == 0;
      const WorkBudget budget{.time = std::chrono::microseconds(100), .interrupt = &now};
      step += engine->advance(budget) ? 1 : 0;
      if (turn % 7 == 0) engine->read_back(middle);
    }
    engine->finish();
    auto end = start;
    engine->read_back(end);
    EXPECT_TRUE(checks::same_bits(end.position, whole.position)) << testing::PrintToString(what);
    EXPECT_TRUE(checks::same_bits(end.velocity, whole.velocity)) << testing::PrintToString(what);
  }
}

TEST_F(IntegratorsCuda, SamplesOfAdaptiveStepsAreOfTheirEnd) {
  const auto start = checks::ragged_bodies(60);
  const auto engine = made(start, with({"engine=cuda"}, adaptive));
  engine->observe({.forces = start.size(), .seed = 1});
  while (!engine->advance({})) continue;
  engine->finish();
  auto sample = engine->poll().forces;
  ASSERT_TRUE(sample.has_value());
  EXPECT_LT(force_error(*sample).maximum, 1e-3);
  EXPECT_DOUBLE_EQ(sample->time, 0.25);
}

/// On every GPU that there is.
TEST_F(IntegratorsCuda, SeveralGpusShareAGalaxy) {
  const checks::EngineCase two{.name = "", .assignments = {"engine=cuda", "devices=all"}, .cuda = true};
  if (const auto reason = checks::why_not_here(two); !reason.empty()) GTEST_SKIP() << reason;
  const auto start = checks::ragged_bodies(700);
  for (const char* integrator : {"integrator=rk4", "integrator=hermite", "step=adaptive"}) {
    const auto one = after(start, with({"engine=cuda", integrator}, physics), 10);
    const auto all =
        after(start, with({"engine=cuda", integrator, "devices=all", "split-by=bodies"}, physics), 10);
    EXPECT_LT(checks::largest_difference(one.position, all.position), 1e-5) << integrator;
  }
}

}  // namespace
}  // namespace orrery::sim
