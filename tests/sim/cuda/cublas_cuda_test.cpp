#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

// Sums by cuBLAS on the GPU. That they are right for any N, layout and precision is checked by the engine
// suite.
namespace orrery::sim {
namespace {

using namespace std::chrono_literals;

class CublasSums : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::vector<std::string> assignments{"engine=cuda", "family=tiled-2d", "sum=cublas", GetParam()};
    case_ = {.name = "", .assignments = assignments, .cuda = true};
    if (const auto reason = checks::why_not_here(case_); !reason.empty()) GTEST_SKIP() << reason;
  }
  /// A force evaluation as the viewer makes it: cut into slices.
  ForceSample sliced_forces(const Bodies& bodies) const {
    const checks::ShortSlices cut(0.5);
    const auto engine = make_engine(checks::simulation_options(), checks::configuration_of(case_));
    engine->load(bodies, 0.0);
    engine->observe({.forces = bodies.size(), .seed = 1});
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!engine->advance({.time = 5ms}) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(1ms);
    engine->finish();
    return engine->poll().forces.value();
  }
  checks::EngineCase case_;
};

INSTANTIATE_TEST_SUITE_P(Precisions, CublasSums, testing::Values("precision=float", "precision=double"),
                         [](const auto& instance) { return std::string(instance.param).substr(10); });

TEST_P(CublasSums, SlicesOfALongStepAreRight) {
  // 6e9 interactions: many times what a card computes in half a millisecond.
  auto sample = sliced_forces(checks::ragged_bodies(100'001, 2));
  // Of every slice some.
  std::size_t kept = 0;
  for (std::size_t k = 0; k < sample.index.size(); k += 23, ++kept) {
    sample.index[kept] = sample.index[k];
    sample.acceleration[kept] = sample.acceleration[k];
  }
  sample.index.resize(kept);
  sample.acceleration.resize(kept);
  EXPECT_LT(force_error(sample).maximum, 1e-4);
}

TEST_P(CublasSums, EveryRunGivesTheSameBits) {
  const auto bodies = checks::ragged_bodies(10'007);
  const auto one = sliced_forces(bodies).acceleration;
  const auto other = sliced_forces(bodies).acceleration;
  ASSERT_EQ(one.size(), other.size());
  EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size() * sizeof one[0]), 0);
}

}  // namespace
}  // namespace orrery::sim
