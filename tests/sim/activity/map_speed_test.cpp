#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/sim/engines/engine_cases.h"

// What a large map costs on a GPU.
namespace orrery::sim {
namespace {

/// The least time of some counts of the map, in milliseconds.
double map_ms(const std::vector<std::string>& assignments, const Bodies& bodies) {
  const checks::EngineCase how{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
  auto settings = checks::configuration_of(how, assignments);
  const auto engine = checks::loaded(settings, bodies);
  double least = 1e9;
  for (int step = 0; step < 5; ++step) {
    EXPECT_TRUE(engine->advance({}));
    engine->finish();
    if (const double ms = engine->status().timings.map_ms; ms > 0.0) least = std::min(least, ms);
  }
  return least;
}

TEST(MapSpeed, AMillionBodiesInAMillionCellsTakeLessThanAFifthOfAMillisecond) {
  if (const auto reason = checks::why_not_here({.name = "", .assignments = {"engine=cuda"}, .cuda = true});
      !reason.empty())
    GTEST_SKIP() << reason;
  const auto bodies = checks::ragged_bodies(1'000'000, 2000);
  for (const std::string how : {"kernel", "update"}) {
    const double ms = map_ms({"map-size=1000", "map-box=all", "map-count=" + how}, bodies);
    std::printf("map of 1000 x 1000 cells, 1000000 bodies, map-count=%s: %.4f ms\n", how.c_str(), ms);
    if (how == "kernel") {
      EXPECT_LT(ms, 0.2);
    }
  }
  const double shared = map_ms({"map-size=100", "map-box=all", "map-count=shared"}, bodies);
  const double global = map_ms({"map-size=100", "map-box=all", "map-count=kernel"}, bodies);
  std::printf("100 x 100 cells: shared %.4f ms, kernel %.4f ms\n", shared, global);
  EXPECT_LT(shared, 0.2);
}

}  // namespace
}  // namespace orrery::sim
