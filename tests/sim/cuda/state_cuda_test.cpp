// What the update kernel does besides kicks and drifts: external fields, a compensated state; and tracers.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sim/options/physics_options.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/integrators/integrator.h"
#include "sim/physics/sources.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using Assignments = std::vector<std::string>;

Configuration configured(const Assignments& assignments) {
  return checks::configuration_of({.assignments = assignments});
}

Bodies after(const Bodies& start, const Assignments& assignments, int steps) {
  const auto engine = make_engine(checks::simulation_options(), configured(assignments));
  engine->load(start, 0.0);
  for (int step = 0; step < steps;) step += engine->advance({}) ? 1 : 0;
  engine->finish();
  auto end = start;
  engine->read_back(end);
  return end;
}

double largest_distance(const Bodies& a, const Bodies& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double d = norm(DVec3(a.position[i]) - DVec3(b.position[i]));
    if (!(d <= largest)) largest = d;
  }
  return largest;
}

class StateCuda : public testing::Test {
 protected:
  void SetUp() override {
    const checks::EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
};

Assignments with(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

const std::vector<Assignments> forms{
    {"engine=cuda"},
    {"engine=cuda", "layout=soa", "passing=members"},
    {"engine=cuda", "layout=aos-mass", "precision=double"},
    {"engine=cuda", "schedule=graph", "family=register-split"},
    {"engine=cuda", "transfers=round-trip"},
};

TEST_F(StateCuda, FieldsMoveBodiesAsOnTheProcessor) {
  const auto start = checks::ragged_bodies(500, 2);
  for (const auto* field : external_fields().subspan(1)) {
    const Assignments physics{
        checks::field_setting(*field, {.field_mass = 2.0, .field_speed = 1.5, .field_flattening = 0.7}),
        "softening=0.1", "time-step=0.01"};
    const auto right = after(start, with({"engine=cpu", "kernel=sequential"}, physics), 50);
    for (const auto& form : forms)
      EXPECT_LT(largest_distance(after(start, with(form, physics), 50), right), 2e-4)
          << field->name << ' ' << testing::PrintToString(form);
    EXPECT_GT(largest_distance(after(start, {"engine=cuda", "softening=0.1", "time-step=0.01"}, 50), right),
              1e-2)
        << field->name << " does something";
  }
}

TEST_F(StateCuda, ACompensatedStateLosesLess) {
  Bodies pair;
  pair.resize(2);
  pair.position = {{-0.5F, 0, 0}, {0.5F, 0, 0}};
  pair.velocity = {{0, -0.5F, 0}, {0, 0.5F, 0}};
  pair.mass = {0.5F, 0.5F};
  const auto energy = [](const Bodies& bodies) {
    const auto galaxies = bodies.galaxies();
    return diagnose(view_of(bodies, galaxies), {}).energy();
  };
  const auto drift = [&](const Assignments& more) {
    const auto step = "time-step=" + std::to_string(2.0 * std::numbers::pi / 1000.0);
    const auto end = after(pair, with({"engine=cuda", "family=pairwise", "softening=0", step}, more), 50'000);
    return std::abs(energy(end) / energy(pair) - 1.0);
  };
  const double single = drift({"state-precision=single"});
  for (const char* more : {"layout=float4", "layout=soa", "math=fast"}) {
    const double compensated = drift({"state-precision=compensated", more});
    EXPECT_LT(compensated, 3e-6) << more;
    EXPECT_LT(compensated, 0.5 * single) << more;
  }
}

TEST_F(StateCuda, TracersMoveAsOnTheProcessorAndAreNotSummed) {
  auto start = checks::ragged_bodies(3000, 2);
  for (std::size_t i = 0; i < start.size(); ++i) {
    if (i % 3 != 0) start.mass[i] = 0.0F;
  }
  put_tracers_last(start);
  const Assignments physics{"softening=0.1", "time-step=0.01"};
  const auto right = after(start, with({"engine=cpu", "kernel=sequential"}, physics), 20);
  for (const std::string family :
       {"tiled", "pairwise", "shuffle", "register-split", "tiled-2d", "tensor", "galaxy-block"}) {
    const auto assignments = with({"engine=cuda", "family=" + family}, physics);
    const double most = family == "tensor" ? 5e-3 : 2e-4;
    EXPECT_LT(largest_distance(after(start, assignments, 20), right), most) << family;
  }
  const auto engine = make_engine(checks::simulation_options(), configured({"engine=cuda", "family=tiled"}));
  engine->load(start, 0.0);
  while (!engine->advance({})) continue;
  EXPECT_LT(engine->status().timings.interactions, 0.5 * interactions_per_evaluation(start.galaxies()));
}

/// 7 steps, another engine and 6 more against 13 in one go.
void expect_goes_on(const Bodies& start, const Assignments& assignments) {
  const auto what = testing::PrintToString(assignments);
  const auto steps = [](Engine& engine, int count) {
    for (int step = 0; step < count;) step += engine.advance({}) ? 1 : 0;
    engine.finish();
  };
  const auto loaded = [&] {
    auto engine = make_engine(checks::simulation_options(), configured(assignments));
    engine->load(start, 0.0);
    return engine;
  };
  const auto whole = loaded();
  steps(*whole, 13);
  auto first = loaded();
  steps(*first, 7);
  const auto half = first->save_state();
  EXPECT_EQ(half.steps, 7U) << what;
  first.reset();
  const auto second = loaded();
  EXPECT_TRUE(second->restore_state(half)) << what;
  EXPECT_EQ(second->status().time, half.time) << what;
  steps(*second, 6);
  const auto a = whole->save_state(), b = second->save_state();
  EXPECT_TRUE(checks::same_bits(a.position, b.position)) << what;
  EXPECT_TRUE(checks::same_bits(a.velocity, b.velocity)) << what;
  EXPECT_EQ(a.time, b.time) << what;
  EXPECT_FALSE(checks::same_bits(half.position, b.position)) << what;
}

TEST_F(StateCuda, ARunGoesOnFromItsStateBitForBit) {
  const auto start = checks::ragged_bodies(700, 3);
  const std::vector<Assignments> all{
      {},
      {"state-precision=single"},
      {"state-precision=compensated"},
      {"layout=soa", "passing=members"},
      {"layout=aos-mass", "precision=double"},
      {"dimensions=2", "layout=split"},
      {"schedule=graph", "family=register-split"},
      {"update=fused", "state-precision=single"},
      {"update=fused", "state-precision=single", "family=galaxy-block"},
      {"update=fused", "state-precision=single", "integrator=symplectic-euler"},
      {"transfers=round-trip", "state-precision=single"},
      {"transfers=round-trip-bodies", "state-precision=single", "integrator=symplectic-euler"},
  };
  for (const auto& each : all)
    expect_goes_on(start, with({"engine=cuda", "softening=0.1", "time-step=0.01"}, each));
  for (const auto* integrator : integrators())
    expect_goes_on(start, {"engine=cuda", "softening=0.1", "time-step=0.01",
                           "integrator=" + std::string(integrator->name)});
  expect_goes_on(start, {"engine=cuda", "softening=0.1", "time-step=0.3", "step=adaptive"});
  expect_goes_on(checks::charged_bodies(300),
                 {"engine=cuda", "force-law=electric:1:0.5", "softening=0.1", "time-step=0.01"});
}

TEST_F(StateCuda, TheProcessorGoesOnFromPositionsAndVelocities) {
  const auto start = checks::ragged_bodies(300);
  const auto gpu = make_engine(checks::simulation_options(), configured({"engine=cuda"}));
  gpu->load(start, 0.0);
  for (int step = 0; step < 5;) step += gpu->advance({}) ? 1 : 0;
  gpu->finish();
  const auto saved = gpu->save_state();
  const auto cpu = make_engine(checks::simulation_options(), configured({"engine=cpu"}));
  cpu->load(start, 0.0);
  EXPECT_FALSE(cpu->restore_state(saved));
  auto bodies = start;
  cpu->read_back(bodies);
  EXPECT_TRUE(checks::same_bits(bodies.position, saved.position));
  EXPECT_EQ(cpu->status().steps, 5U);
}

TEST_F(StateCuda, AFieldCanBeChangedWhileBodiesMove) {
  const auto start = checks::ragged_bodies(300);
  const auto engine =
      make_engine(checks::simulation_options(), configured({"engine=cuda", "schedule=graph"}));
  engine->load(start, 0.0);
  const auto steps = [&](const Assignments& assignments) {
    engine->configure(configured(with({"engine=cuda", "schedule=graph"}, assignments)));
    for (int step = 0; step < 10;) step += engine->advance({}) ? 1 : 0;
    engine->finish();
    auto bodies = start;
    engine->read_back(bodies);
    return bodies;
  };
  const auto weak = steps({"external-field=nfw:1"});
  engine->load(start, 0.0);
  const auto strong = steps({"external-field=nfw:30"});
  EXPECT_GT(largest_distance(weak, strong), 1e-3);
}

}  // namespace
}  // namespace orrery::sim
