// Bodies in a frame of their own are drawn in place: a kernel turns what was published into the dataset's
// numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/options/physics_options.h"
#include "sim/simulation/framed_engine.h"
#include "tests/sim/cuda/device_vertices.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

class FrameCuda : public testing::Test {
 protected:
  void SetUp() override {
    const checks::EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
};

Configuration configured(const Physics& physics, const std::vector<std::string>& more) {
  auto configuration =
      checks::configuration_of({.name = "", .assignments = {"engine=cuda"}, .cuda = true}, more);
  set_physics(configuration, physics);
  return configuration;
}

/// The kernel that moves bodies and the one that publishes them later may round a.a differently.
void expect_equal(const std::vector<float>& drawn, const std::vector<float>& host, const std::string& what) {
  std::size_t wrong = 0;
  for (std::size_t k = 0; k < drawn.size(); ++k) {
    const bool square = k >= drawn.size() / 2 && k % 4 == 3;
    if (square ? std::abs(drawn[k] - host[k]) > 1e-5F * host[k] : drawn[k] != host[k]) ++wrong;
  }
  EXPECT_EQ(wrong, 0U) << what;
}

/// Published into the GPU's memory, and through the host: the same bits, before a step and after each.
void expect_the_same(const Bodies& bodies, const Physics& physics, const std::vector<std::string>& more) {
  const auto engine = checks::loaded(configured(physics, more), bodies);
  EXPECT_EQ(engine->kind().target_space, VertexTarget::Space::device);
  EXPECT_FALSE(engine->writes_in_passing());
  // The first steps are made while the kernel compiles.
  const checks::Vertices vertices(bodies.size());
  for (int step = 0; step < 4; ++step) {
    engine->set_next_target(vertices.target);
    if (step > 0) {
      while (!engine->advance({})) continue;
    }
    engine->write_vertices(vertices.target);
    engine->finish();
    std::vector<float> host(8 * bodies.size());
    engine->write_vertices(
        {.position = host.data(), .velocity = host.data() + 4 * bodies.size(), .bodies = bodies.size()});
    const auto drawn = vertices.read();
    expect_equal(drawn, host, testing::PrintToString(more) + " step " + std::to_string(step));
    EXPECT_EQ(drawn[3], bodies.mass[0]);
  }
}

TEST_F(FrameCuda, WhatIsDrawnInPlaceIsInTheNumbersOfTheDataset) {
  constexpr Frame far_away{.mass = 0x1p100, .length = 0x1p60, .velocity = 0x1p30};
  auto bodies = checks::ragged_bodies(700, 2);
  scale_state(bodies, far_away);
  const auto physics = in_frame(Physics{.softening = 0.125, .time_step = 0.0078125}, far_away);
  for (const char* form : {"schedule=serial", "schedule=graph", "update=fused", "precision=double",
                           "layout=soa", "integrator=hermite", "integrator=rk4", "step=adaptive"})
    expect_the_same(bodies, physics, {"family=tiled", form});
}

TEST_F(FrameCuda, WhatFliesIsDrawnInPlaceWhereItIs) {
  auto bodies = checks::ragged_bodies(700);
  for (auto& v : bodies.velocity) v = static_cast<Vec3>(DVec3(v) + DVec3{0x1p17, -0x1p16, 0.0});
  expect_the_same(bodies, {.softening = 0.125, .time_step = 0.0078125}, {"schedule=serial"});
}

}  // namespace
}  // namespace orrery::sim
