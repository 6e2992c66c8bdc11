// Ranges and time step in constant memory instead of in arguments: not a bit changes.
#include <gtest/gtest.h>

#include "tests/sim/engines/engine_cases.h"
#include "tests/sim/engines/short_slices.h"

namespace orrery::sim {
namespace {

using Assignments = std::vector<std::string>;

Configuration configured(const Assignments& assignments) {
  return checks::configuration_of({.name = "", .assignments = {"engine=cuda"}, .cuda = true}, assignments);
}

Assignments operator+(Assignments a, const Assignments& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Bodies, and the map of the last step, after steps in which the time step changes once.
struct Outcome {
  Bodies bodies;
  std::vector<float> map;
};

Outcome outcome_of(const Assignments& assignments, const Bodies& bodies) {
  const auto engine = checks::loaded(configured(assignments + Assignments{"time-step=0.01"}), bodies);
  for (int step = 0; step < 3; ++step) engine->advance({});
  engine->configure(configured(assignments + Assignments{"time-step=0.02"}));
  Outcome outcome{checks::after(*engine, bodies, 3), std::vector<float>(map_header + 81)};
  std::vector<float> packed(8 * bodies.size());
  engine->write_vertices({.position = packed.data(),
                          .velocity = packed.data() + 4 * bodies.size(),
                          .bodies = bodies.size(),
                          .map = outcome.map.data(),
                          .map_size = 9});
  return outcome;
}

TEST(ConstantRanges, EveryBitIsThatOfArguments) {
  const checks::ShortSlices cut(1);
  const auto here = checks::why_not_here({.name = "", .assignments = {"engine=cuda"}, .cuda = true});
  if (!here.empty()) GTEST_SKIP() << here;
  for (const char* family :
       {"family=pairwise", "family=tiled", "family=pairs-matrix", "family=force-matrix"}) {
    for (const char* integrator :
         {"integrator=explicit-euler", "integrator=leapfrog", "integrator=forest-ruth"}) {
      for (const Assignments& more :
           {Assignments{"map-count=update"}, Assignments{"map-count=kernel", "precision=double"},
            Assignments{"map-count=shared", "layout=aos-mass", "passing=members"}}) {
        // One galaxy; several after each other, whose ranges differ from launch to launch.
        for (const auto& bodies : {checks::ragged_bodies(1003), checks::ragged_bodies(300, 3)}) {
          const auto shared =
              Assignments{family, integrator, "map-size=9", "map-box=all", "schedule=serial"} + more;
          const auto expected = outcome_of(shared, bodies);
          const auto mine = outcome_of(shared + Assignments{"constants=constant-memory-all"}, bodies);
          const auto what = shared[0] + ' ' + shared[1] + ' ' + more[0];
          EXPECT_GT(checks::largest_difference(expected.bodies.position, bodies.position), 1e-4) << what;
          EXPECT_TRUE(checks::same_bits(mine.bodies.position, expected.bodies.position)) << what;
          EXPECT_TRUE(checks::same_bits(mine.bodies.velocity, expected.bodies.velocity)) << what;
          EXPECT_GT(expected.map[0], 0.0F) << what;
          EXPECT_EQ(mine.map, expected.map) << what;
        }
      }
    }
  }
}

// The order in which atomic additions come is not fixed: equal up to rounding.
TEST(ConstantRanges, AtomicSumsAgreeUpToTheirOrder) {
  const auto here = checks::why_not_here({.name = "", .assignments = {"engine=cuda"}, .cuda = true});
  if (!here.empty()) GTEST_SKIP() << here;
  const auto bodies = checks::ragged_bodies(1003);
  const Assignments shared{"family=pairs-atomic", "map-size=9", "map-box=all"};
  const auto expected = outcome_of(shared, bodies);
  const auto mine = outcome_of(shared + Assignments{"constants=constant-memory-all"}, bodies);
  EXPECT_LT(checks::largest_difference(mine.bodies.position, expected.bodies.position), 1e-4);
}

}  // namespace
}  // namespace orrery::sim
