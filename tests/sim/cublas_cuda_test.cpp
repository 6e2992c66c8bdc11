#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

#include "engine_cases.h"

// Sums by cuBLAS on the GPU. That they are right for any N, layout and precision is checked by the engine
// suite.
namespace orrery::sim {
namespace {

using namespace std::chrono_literals;

class CublasSums : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const checks::EngineCase here{.name = "",
                                  .assignments = {"engine=cuda", "family=tiled-2d", "sum=cublas"}};
    auto assignments = here.assignments;
    assignments.emplace_back(GetParam());
    case_ = {.name = "", .assignments = assignments, .cuda = true};
    if (const auto reason = checks::why_not_here(case_); !reason.empty()) GTEST_SKIP() << reason;
  }
  /// A force evaluation as the viewer makes it: cut into slices.
  ForceSample sliced_forces(const Bodies& bodies) const {
    const auto engine = make_engine(checks::simulation_options(), checks::configuration_of(case_));
    engine->load(bodies, 0.0);
    engine->request_force_sample(bodies.size(), 1);
    const auto limit = std::chrono::steady_clock::now() + 60s;
    while (!engine->advance({.time = 5ms}) && std::chrono::steady_clock::now() < limit)
      std::this_thread::sleep_for(1ms);
    engine->finish();
    return engine->take_force_sample().value();
  }
  checks::EngineCase case_;
};

INSTANTIATE_TEST_SUITE_P(Precisions, CublasSums, testing::Values("precision=float", "precision=double"),
                         [](const auto& instance) { return std::string(instance.param).substr(10); });

TEST_P(CublasSums, SlicesOfALongStepAreRight) {
  // 1.6e9 interactions: some twenty slices at the first, cautious guess of the card's speed.
  const auto bodies = checks::ragged_bodies(40'001, 2);
  auto sample = sliced_forces(bodies);
  sample.index.resize(2000);
  sample.acceleration.resize(2000);
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
