// step=block on a GPU, beside the CPU's.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/diagnostics/force_error.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using Assignments = std::vector<std::string>;

const Assignments block{"softening=0.005", "step=block:0.1", "time-step=0.03125"};

Assignments with(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

Configuration configured(const Assignments& more) {
  return checks::configuration_of({.assignments = with(block, more)});
}

Configuration on_gpu(const Assignments& more) { return configured(with({"engine=cuda"}, more)); }
Configuration on_cpu(const Assignments& more) {
  return configured(with({"engine=cpu", "kernel=simd-double"}, more));
}

/// Of two galaxies, so many bodies that no block is full.
Bodies spheres() { return make_galaxies("hernquist", {.bodies = 1003, .seed = 3}, 2).bodies; }

class BlockStepsCuda : public testing::Test {
 protected:
  void SetUp() override {
    const checks::EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
};

struct Run {
  Bodies end;
  double block_times = 0.0, forces = 0.0;  ///< of all steps
};

Run run(const Configuration& configuration, const Bodies& start, int steps) {
  const auto engine = checks::loaded(configuration, start);
  Run result{.end = start};
  for (int step = 0; step < steps;) {
    if (!engine->advance({})) continue;
    ++step;
    result.block_times += engine->report().number("block_times");
    result.forces += engine->report().number("forces_of_body");
  }
  engine->finish();
  engine->read_back(result.end);
  return result;
}

constexpr int compared_steps = 4;

/// A body whose tau is near a power of two may be a level off.
void expect_as_on_the_processor(const Assignments& what, const Assignments& form, const Bodies& start,
                                double tolerance) {
  const auto right = run(on_cpu(what), start, compared_steps);
  const auto found = run(on_gpu(with(what, form)), start, compared_steps);
  const auto shown = testing::PrintToString(with(what, form));
  EXPECT_GT(right.forces, 2.0 * compared_steps);
  EXPECT_NEAR(found.block_times, right.block_times, 0.02 * right.block_times) << shown;
  EXPECT_NEAR(found.forces, right.forces, 0.02 * right.forces) << shown;
  EXPECT_LT(checks::largest_difference(found.end.position, right.end.position), tolerance) << shown;
}

TEST_F(BlockStepsCuda, MoveBodiesAsOnTheProcessor) {
  const std::vector<Assignments> forms{
      {"family=tiled"},
      {"family=pairwise"},
      {"family=shuffle"},
      {"family=tiled-2d"},
      {"family=tiled-2d", "sum=tree"},
      {"family=register-split"},
      {"family=tiled", "schedule=streams", "streams=2"},
      {"family=tiled", "schedule=phased", "streams=2"},
      {"family=tiled", "layout=soa", "passing=members"},
      {"family=tiled", "layout=aos-mass", "passing=pointer"},
      {"family=tiled", "layout=aos"},
      {"family=tiled", "layout=split"},
      {"family=tiled", "loads=plain", "constants=constant-memory-all"},
      {"family=tiled", "precision=double"},
      {"family=tiled", "state-precision=compensated"},
      {"family=tiled", "staging=bodies"},
      {"family=tiled", "early-launch=on"},
      {"family=register-split", "early-launch=on"},
      {"family=tiled", "map-size=16", "map-count=update"},
  };
  for (const auto& form : forms) expect_as_on_the_processor({}, form, spheres(), 2e-4);
  const checks::ShortSlices cut(0.5);
  expect_as_on_the_processor({}, {"family=tiled"}, spheres(), 2e-4);
}

TEST_F(BlockStepsCuda, MoveBodiesInFieldsAndPlanesAsOnTheProcessor) {
  const Assignments field{"external-field=nfw:2"};
  for (const char* state : {"state-precision=single", "state-precision=compensated"})
    expect_as_on_the_processor(field, {"family=tiled", state}, spheres(), 2e-4);
  expect_as_on_the_processor({"dimensions=2"}, {"family=tiled", "layout=split"}, spheres(), 1e-3);
}

/// The tree's forces are off by what alpha says, and levels follow from forces.
TEST_F(BlockStepsCuda, MoveBodiesByTheTree) {
  for (const Assignments& form :
       std::vector<Assignments>{{"opening=relative:0.0005"}, {"opening=relative:0.0005", "schedule=streams"}})
    expect_as_on_the_processor({}, with({"family=tree"}, form), spheres(), 5e-3);
  const auto large = make_galaxy("hernquist", {.bodies = 20'011, .seed = 3}).bodies;
  expect_as_on_the_processor({}, {"family=tree", "opening=relative:0.0005"}, large, 5e-2);
}

/// Where no body needs a part of the step it is that of leapfrog, bit for bit.
TEST_F(BlockStepsCuda, OneLevelIsLeapfrog) {
  for (const Assignments& form : std::vector<Assignments>{{"family=tiled"},
                                                          {"family=tree"},
                                                          {"family=tiled-2d"},
                                                          {"family=register-split"},
                                                          {"family=tiled", "precision=double"},
                                                          {"family=tiled", "layout=soa"},
                                                          {"family=tiled", "state-precision=compensated"},
                                                          {"family=tiled", "external-field=nfw:2"}}) {
    const auto own = run(on_gpu(with({"step=block:1000"}, form)), spheres(), 5);
    const auto fixed = run(on_gpu(with({"step=fixed"}, form)), spheres(), 5);
    EXPECT_EQ(own.block_times, 5.0);
    EXPECT_TRUE(checks::same_bits(own.end.position, fixed.end.position)) << testing::PrintToString(form);
    EXPECT_TRUE(checks::same_bits(own.end.velocity, fixed.end.velocity)) << testing::PrintToString(form);
  }
}

/// Sums over all sources in their order: a body does not feel who else is computed, nor where slices end.
TEST_F(BlockStepsCuda, SlicesAndStreamsChangeNoBit) {
  const auto one = run(on_gpu({"family=tiled", "schedule=serial"}), spheres(), 4);
  const auto streams = run(on_gpu({"family=tiled", "schedule=streams", "streams=2"}), spheres(), 4);
  EXPECT_TRUE(checks::same_bits(one.end.position, streams.end.position));
  const checks::ShortSlices cut(0.5);
  const auto slices = run(on_gpu({"family=tiled"}), spheres(), 4);
  EXPECT_TRUE(checks::same_bits(one.end.position, slices.end.position));
}

/// The numbers that rates are computed from.
TEST_F(BlockStepsCuda, EvaluationsCountWithWhatTheySum) {
  const auto bodies = make_galaxy("hernquist", {.bodies = 1000, .seed = 3}).bodies;
  const auto engine = checks::loaded(on_gpu({"family=tiled"}), bodies);
  double forces = 0.0;
  StepTimings before;
  for (int step = 0; step < 5;) {
    if (!engine->advance({})) continue;
    forces += step > 0 ? engine->report().number("forces_of_body") : 0.0;
    if (step++ > 0) continue;
    engine->finish();
    before = engine->status().timings;
  }
  engine->finish();
  const auto after = engine->status().timings;
  EXPECT_NEAR(after.sums - before.sums, forces, 1e-9);
  EXPECT_LT(after.sums - before.sums, 0.7 * static_cast<double>(after.evaluations - before.evaluations));
  EXPECT_GT(after.measured_sums, 0.0);
  EXPECT_LE(after.measured_sums, after.sums);
}

double energy(const Bodies& bodies) {
  const auto galaxies = bodies.galaxies();
  return diagnose(view_of(bodies, galaxies), {.physics = {.softening = 0.005}}).energy();
}

/// The largest error of the energy, looked at 4 times, and how often forces were computed.
std::pair<double, double> drift(const Configuration& configuration, const Bodies& start, int steps) {
  const auto engine = checks::loaded(configuration, start);
  const double before = energy(start);
  double largest = 0.0, cost = 0.0;
  for (int step = 0; step < steps;) {
    if (!engine->advance({})) continue;
    cost += std::max(1.0, engine->report().number("forces_of_body"));
    if (++step % (steps / 4) != 0) continue;
    auto now = start;
    engine->finish();
    engine->read_back(now);
    largest = std::max(largest, std::abs(energy(now) / before - 1.0));
  }
  return {largest, cost};
}

TEST_F(BlockStepsCuda, KeepTheEnergyBetterThanAsManyForcesInStepsForAll) {
  const auto bodies = make_galaxy("hernquist", {.bodies = 1000, .seed = 3}).bodies;
  const auto [own, cost] = drift(on_gpu({"family=tiled"}), bodies, 64);
  const int parts = static_cast<int>(std::ceil(cost / 64.0));
  auto fixed = on_gpu({"family=tiled", "step=fixed"});
  fixed.set("time-step", 0.03125 / parts);
  const auto [global, fixed_cost] = drift(fixed, bodies, 64 * parts);
  RecordProperty("forces", std::to_string(cost));
  RecordProperty("block", std::to_string(1e6 * own));
  RecordProperty("fixed", std::to_string(1e6 * global));
  EXPECT_GE(fixed_cost, cost);
  EXPECT_LT(own, 0.5 * global);
  EXPECT_LT(own, 2e-3);
  EXPECT_LT(drift(on_gpu({"family=tree", "opening=relative:0.003"}), bodies, 64).first, 5e-4);
}

TEST_F(BlockStepsCuda, GoOnFromACheckpointWithTheSameBits) {
  for (const Assignments& form : std::vector<Assignments>{{"family=tiled", "state-precision=single"},
                                                          {"family=tiled", "state-precision=compensated"},
                                                          {"family=tree"}}) {
    const auto engine = checks::loaded(on_gpu(form), spheres());
    checks::after(*engine, spheres(), 3);
    const auto kept = engine->save_state();
    const auto expected = checks::after(*engine, spheres(), 2);
    const auto other = checks::loaded(on_gpu(form), spheres());
    EXPECT_TRUE(other->restore_state(kept));
    const auto found = checks::after(*other, spheres(), 2);
    EXPECT_TRUE(checks::same_bits(found.position, expected.position)) << testing::PrintToString(form);
    EXPECT_TRUE(checks::same_bits(found.velocity, expected.velocity)) << testing::PrintToString(form);
  }
}

/// In slices of time, with interruptions and reads in between, as the window asks.
TEST_F(BlockStepsCuda, AnInterruptedStepHasTheSameBits) {
  for (const char* family : {"family=tiled", "family=tree"}) {
    const auto whole = run(on_gpu({family}), spheres(), 3).end;
    const auto engine = checks::loaded(on_gpu({family}), spheres());
    std::atomic<bool> now{false};
    auto middle = spheres();
    for (int step = 0, turn = 0; step < 3; ++turn) {
      now = turn % 3 == 0;
      const WorkBudget budget{.time = std::chrono::microseconds(100), .interrupt = &now};
      step += engine->advance(budget) ? 1 : 0;
      if (turn % 7 == 0) engine->read_back(middle);
    }
    engine->finish();
    auto end = spheres();
    engine->read_back(end);
    EXPECT_TRUE(checks::same_bits(end.position, whole.position)) << family;
    EXPECT_TRUE(checks::same_bits(end.velocity, whole.velocity)) << family;
  }
}

/// Makes steps until one was interrupted after some of its forces. False if that never happened.
bool stops_in_a_step(Engine& engine) {
  for (int turn = 0; turn < 100; ++turn) {
    engine.finish();
    const auto before = engine.status();
    std::atomic<bool> now{false};
    std::thread soon([&] {
      std::this_thread::sleep_for((1 + turn % 20) * std::chrono::microseconds(200));
      now = true;
    });
    engine.advance({.time = std::chrono::microseconds(1), .interrupt = &now});
    soon.join();
    engine.finish();
    const auto after = engine.status();
    if (after.steps == before.steps && after.timings.evaluations > before.timings.evaluations) return true;
  }
  return false;
}

/// Another choice in the middle of a step gives the step up; it begins again from the same state.
TEST_F(BlockStepsCuda, OtherSettingsInTheMiddleOfAStepBeginItAgain) {
  const auto start = spheres();
  const auto engine = checks::loaded(on_gpu({"family=tiled", "step=fixed"}), start);
  const auto first = checks::after(*engine, start, 2);
  engine->configure(on_gpu({"family=tree"}));
  // Until its kernels are compiled, steps are those of before.
  while (!engine->advance({})) continue;
  EXPECT_TRUE(stops_in_a_step(*engine));
  auto complete = start;
  engine->read_back(complete);
  const auto steps = engine->status().steps;
  engine->configure(on_gpu({"family=tiled"}));
  while (engine->status().steps == steps) engine->advance({});
  engine->finish();
  auto end = start;
  engine->read_back(end);
  // The state has no digits that reading it loses.
  const auto fresh = run(on_gpu({"family=tiled"}), complete, 1).end;
  EXPECT_LT(checks::largest_difference(end.position, fresh.position), 2e-6);
  EXPECT_GT(checks::largest_difference(first.position, end.position), 1e-4);
}

TEST_F(BlockStepsCuda, GiveTheirMemoryBack) {
  const auto start = spheres();
  const auto engine = checks::loaded(on_gpu({"family=tiled"}), start);
  const auto bytes_with = [&](const std::string& step) {
    engine->configure(on_gpu({"family=tiled", step}));
    while (!engine->advance({})) continue;
    return engine->report().number("device_bytes");
  };
  const double own = bytes_with("step=block");
  const double adaptive = bytes_with("step=adaptive");
  const double fixed = bytes_with("step=fixed");
  const auto bodies = static_cast<double>(start.size());
  // A second state of twice the bodies, and one of all.
  EXPECT_GT(own - fixed, 64.0 * bodies);
  EXPECT_GT(adaptive - fixed, 32.0 * bodies);
}

TEST_F(BlockStepsCuda, SamplesAreThoseOfTheEnd) {
  for (const char* family : {"family=tiled", "family=tree"}) {
    const auto engine = checks::loaded(on_gpu({family, "opening=relative:0.001"}), spheres());
    engine->observe({.forces = 200, .seed = 1});
    while (!engine->advance({})) continue;
    engine->finish();
    const auto sample = engine->poll().forces;
    ASSERT_TRUE(sample);
    EXPECT_LT(force_error(*sample).median, 1e-3) << family;
    EXPECT_DOUBLE_EQ(sample->time, 0.03125);
  }
}

}  // namespace
}  // namespace orrery::sim
