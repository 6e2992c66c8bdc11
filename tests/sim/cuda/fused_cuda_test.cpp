// Forces, update and vertices in one kernel: update=fused.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "tests/sim/cuda/device_vertices.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::EngineCase;
using checks::largest_difference;
using checks::loaded;
using checks::ragged_bodies;
using checks::same_bits;
using checks::Vertices;

using Assignments = std::vector<std::string>;

Configuration configuration_of(Assignments assignments) {
  assignments.insert(assignments.begin(), "engine=cuda");
  return checks::configuration_of({.name = "", .assignments = std::move(assignments), .cuda = true});
}

Configuration configuration_of(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  return configuration_of(std::move(some));
}

/// Kernels with a fused form; one and several rows of blocks.
const std::vector<Assignments> kernels{
    {"family=tiled"},
    {"family=galaxy-block"},
    {"family=galaxy-block", "staging=none", "layout=aos"},
    {"family=register-split"},
    {"family=register-split", "split=1"},
    {"family=register-split", "split=7", "bodies-per-thread=2", "block=64"},
    {"family=register-split", "precision=double", "layout=soa", "split=3"},
    {"family=tiled", "layout=aos", "passing=members"},
    {"family=register-split", "dimensions=2", "layout=split", "passing=pointer"},
};

constexpr const char* integrators[] = {"integrator=symplectic-euler", "integrator=explicit-euler",
                                       "integrator=leapfrog"};

class Fused : public testing::Test {
 protected:
  void SetUp() override {
    const EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
};

void expect_same(const Bodies& mine, const Bodies& expected, const std::string& what) {
  EXPECT_TRUE(same_bits(mine.position, expected.position)) << what;
  EXPECT_TRUE(same_bits(mine.velocity, expected.velocity)) << what;
}

void expect_holds(const Vertices& vertices, const Bodies& bodies, const std::string& what) {
  const auto all = vertices.read();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const float* x = &all[4 * i];
    const float* v = &all[4 * (bodies.size() + i)];
    const auto& position = bodies.position[i];
    const auto& velocity = bodies.velocity[i];
    if (x[0] != position.x || x[1] != position.y || x[2] != position.z || x[3] != bodies.mass[i] ||
        v[0] != velocity.x || v[1] != velocity.y || v[2] != velocity.z)
      ++wrong;
  }
  EXPECT_EQ(wrong, 0U) << what;
}

TEST_F(Fused, GivesTheBitsOfTwoKernels) {
  for (const std::size_t n : {1, 63, 1000, 4099}) {
    const auto bodies = ragged_bodies(n);
    for (const auto& kernel : kernels) {
      for (const char* integrator : integrators) {
        const auto run = [&](const char* update) {
          return after(*loaded(configuration_of(kernel, {integrator, update}), bodies), bodies, 7);
        };
        const auto expected = run("update=separate");
        EXPECT_GT(largest_difference(expected.position, bodies.position), n > 1 ? 1e-4F : -1.0F);
        expect_same(run("update=fused"), expected,
                    kernel.back() + " " + integrator + " " + std::to_string(n));
      }
    }
  }
}

TEST_F(Fused, SeveralGalaxiesUnderEverySchedule) {
  Bodies bodies;
  for (std::uint32_t k = 0; k < 5; ++k) bodies.append(ragged_bodies(1000 - 190 * k), k);
  for (const auto& kernel : {kernels[0], kernels[1]}) {
    for (const char* integrator : integrators) {
      const auto expected =
          after(*loaded(configuration_of(kernel, {integrator, "schedule=serial"}), bodies), bodies, 5);
      for (const char* schedule : {"serial", "streams", "phased", "batched", "graph"}) {
        if (schedule == std::string("batched") && kernel != kernels[0]) continue;
        const auto configuration = configuration_of(
            kernel, {integrator, "update=fused", "schedule=" + std::string(schedule), "streams=3"});
        expect_same(after(*loaded(configuration, bodies), bodies, 5), expected,
                    kernel.back() + " " + integrator + " " + schedule);
      }
    }
  }
}

TEST_F(Fused, AStepIsOneLaunchThatWritesTheVerticesAndCopiesNothing) {
  const auto bodies = ragged_bodies(4099);
  for (const auto& kernel : {kernels[0], kernels[1], kernels[3]}) {
    for (const char* integrator : {"integrator=symplectic-euler", "integrator=leapfrog"}) {
      const auto what = kernel.back() + " " + integrator;
      const auto engine = loaded(configuration_of(kernel, {integrator, "update=fused"}), bodies);
      ASSERT_TRUE(engine->advance({}));
      const Vertices vertices(bodies.size());
      const auto copied = engine->report().number("copied_bytes");
      for (int step = 0; step < 5; ++step) {
        engine->set_next_target(vertices.target);
        ASSERT_TRUE(engine->advance({}));
        engine->write_vertices(vertices.target);
        EXPECT_EQ(engine->report().number("launches"), 1) << what << " step " << step;
      }
      engine->finish();
      EXPECT_TRUE(engine->poll().published);
      const auto report = engine->report();
      EXPECT_EQ(report.number("copied_bytes"), copied) << what;
      EXPECT_EQ(report.text("vertices_by"), "fused_step") << what;
      auto state = bodies;
      const auto drawn = vertices.read();
      engine->read_back(state);
      expect_holds(vertices, state, what);
      EXPECT_NE(drawn.front(), bodies.position.front().x) << what;
    }
  }
}

// Where the offer is for another buffer, or comes too late, the state is published all the same.
TEST_F(Fused, WhatIsPublishedIsTheLastCompleteStep) {
  const auto bodies = ragged_bodies(1000);
  for (const char* integrator : {"integrator=symplectic-euler", "integrator=leapfrog"}) {
    const auto engine =
        loaded(configuration_of({"family=register-split", integrator, "update=fused"}), bodies);
    ASSERT_TRUE(engine->advance({}));
    const Vertices offered(bodies.size()), other(bodies.size());
    auto state = bodies;
    engine->set_next_target(offered.target);
    ASSERT_TRUE(engine->advance({}));
    engine->write_vertices(other.target);
    engine->finish();
    EXPECT_EQ(engine->report().text("vertices_by"), "publish");
    engine->read_back(state);
    expect_holds(other, state, "another buffer");
    // After publishing, steps leave the buffer alone.
    engine->set_next_target(offered.target);
    ASSERT_TRUE(engine->advance({}));
    engine->write_vertices(offered.target);
    engine->read_back(state);
    ASSERT_TRUE(engine->advance({}));
    ASSERT_TRUE(engine->advance({}));
    engine->finish();
    expect_holds(offered, state, "a buffer that is drawn");
  }
}

TEST_F(Fused, SwitchingOnTheWayKeepsTheState) {
  const auto bodies = ragged_bodies(1000);
  const std::vector<Assignments> changes{{"update=fused"},
                                         {"update=fused", "time-step=0.0007"},
                                         {"update=separate", "time-step=0.0007"},
                                         {"update=fused", "family=tiled"},
                                         {"update=fused", "integrator=symplectic-euler"},
                                         {"update=fused", "integrator=leapfrog"},
                                         {"update=fused", "layout=soa"},
                                         {"update=fused", "softening=0.07"},
                                         {"update=separate", "softening=0.07"}};
  const Assignments start{"family=register-split", "softening=0.05"};
  const auto mine = loaded(configuration_of(start), bodies);
  const auto reference = loaded(configuration_of(start), bodies);
  Assignments so_far = start;
  for (const auto& change : changes) {
    so_far.insert(so_far.end(), change.begin(), change.end());
    mine->configure(configuration_of(so_far));
    reference->configure(configuration_of(so_far, {"update=separate"}));
    // Other kernels round the forces that a step begins with otherwise.
    const auto expected = after(*reference, bodies, 3);
    const auto found = after(*mine, bodies, 3);
    EXPECT_LT(largest_difference(found.position, expected.position), 1e-6) << change.back();
    EXPECT_LT(largest_difference(found.velocity, expected.velocity), 1e-5) << change.back();
  }
}

TEST_F(Fused, AStepThatIsCutCanBeTakenBack) {
  const checks::ShortSlices cut_up(0.5);
  const auto bodies = ragged_bodies(200'000);
  for (const char* family : {"family=tiled", "family=register-split"}) {
    const auto configuration = configuration_of({family, "update=fused"});
    const auto expected = after(*loaded(configuration, bodies), bodies, 4);
    const auto engine = loaded(configuration, bodies);
    auto state = after(*engine, bodies, 2);
    int cut = 0;
    for (int attempt = 0; attempt < 5; ++attempt) {
      if (engine->advance({.time = std::chrono::nanoseconds(1)})) continue;
      // Configured again, the engine begins the step again.
      engine->configure(configuration);
      ++cut;
      const auto steps = engine->status().steps;
      auto again = bodies;
      engine->read_back(again);
      if (steps == 2) expect_same(again, state, family);
    }
    EXPECT_GT(cut, 0);
    while (engine->status().steps < 4) engine->advance({});
    ASSERT_EQ(engine->status().steps, 4U);
    engine->read_back(state);
    expect_same(state, expected, family);
  }
}

}  // namespace
}  // namespace orrery::sim
