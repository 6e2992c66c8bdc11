#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <string>
#include <vector>

#include "engine_cases.h"
#include "sim/physics/integrators/integrator.h"

// A step that was interrupted, of every integrator and of a step that is cut. EngineSuite does it for every
// kernel.
namespace orrery::sim {
namespace {

std::vector<std::string> kinds_of_step() {
  std::vector<std::string> settings{"step=adaptive:0.025:1"};
  for (const auto* each : integrators()) settings.push_back("integrator=" + std::string(each->name));
  return settings;
}

/// The parameter is the setting that makes the kind.
class InterruptedStep : public testing::TestWithParam<std::string> {
 protected:
  static Configuration configured() {
    auto configuration = checks::simulation_options().defaults();
    for (const char* each : {"engine=cpu", "kernel=sequential", "gravity=1", "softening=0.01",
                             "state-precision=compensated", "time-step=0.25"})
      checks::simulation_options().assign(configuration, each);
    checks::simulation_options().assign(configuration, GetParam());
    return configuration;
  }
};

TEST_P(InterruptedStep, IsMadeAgainWithTheSameBits) {
  const auto bodies = checks::ragged_bodies(60);
  const auto engine = checks::loaded(configured(), bodies);
  ASSERT_TRUE(engine->advance({}));
  const std::atomic<bool> now{true};
  EXPECT_FALSE(engine->advance({.interrupt = &now}));
  const auto end = checks::after(*engine, bodies, 2);
  const auto whole = checks::after(*checks::loaded(configured(), bodies), bodies, 3);
  EXPECT_TRUE(checks::same_bits(end.position, whole.position));
  EXPECT_TRUE(checks::same_bits(end.velocity, whole.velocity));
}

INSTANTIATE_TEST_SUITE_P(KindsOfStep, InterruptedStep, testing::ValuesIn(kinds_of_step()),
                         [](const auto& each) {
                           auto name = each.param;
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; },
                               '_');
                           return name;
                         });

}  // namespace
}  // namespace orrery::sim
