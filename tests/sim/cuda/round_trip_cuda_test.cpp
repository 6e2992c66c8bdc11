// The round trips of ECE415 2022: the host holds the bodies, and what goes each way.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using checks::after;
using checks::EngineCase;
using checks::largest_difference;
using checks::loaded;
using checks::ragged_bodies;

using Assignments = std::vector<std::string>;

Configuration configuration_of(Assignments some, const Assignments& more) {
  some.insert(some.end(), more.begin(), more.end());
  some.insert(some.begin(), {"engine=cuda", "integrator=symplectic-euler"});
  return checks::configuration_of({.name = "", .assignments = std::move(some), .cuda = true});
}

class RoundTrip : public testing::Test {
 protected:
  void SetUp() override {
    const EngineCase any{.name = "", .assignments = {"engine=cuda"}, .cuda = true};
    if (const auto reason = checks::why_not_here(any); !reason.empty()) GTEST_SKIP() << reason;
  }
};

constexpr const char* round_trips[] = {"round-trip", "round-trip-bodies", "round-trip-positions"};

const std::vector<Assignments> kernels{
    {"family=tiled"},
    {"family=pairwise", "layout=aos", "passing=members", "host-memory=pageable"},
    {"family=tiled", "layout=split", "staging=bodies"},
    {"family=tiled", "layout=soa", "precision=double"},
    {"family=tiled", "layout=float4", "dimensions=2"},
    {"family=tiled", "force-law=electric", "layout=soa"},
    {"family=tiled-2d", "sum=tree"},
};

TEST_F(RoundTrip, GivesWhatResidentBodiesGive) {
  for (const std::size_t n : {1, 63, 1000, 4099}) {
    const auto bodies = ragged_bodies(n);
    for (const auto& kernel : kernels) {
      const auto run = [&](const std::string& transfers) {
        return after(*loaded(configuration_of(kernel, {"transfers=" + transfers}), bodies), bodies, 7);
      };
      const auto expected = run("resident");
      for (const char* way : round_trips) {
        const auto mine = run(way);
        EXPECT_LT(largest_difference(mine.position, expected.position), 2e-5) << way << ' ' << kernel.back();
        EXPECT_LT(largest_difference(mine.velocity, expected.velocity), 2e-5) << way << ' ' << kernel.back();
      }
    }
  }
}

// A body is two times four floats. Velocities that stay on the GPU save half of the way in, from the second
// step on, and positions that the host has anyway half of the way out.
TEST_F(RoundTrip, CopiesWhatItSays) {
  const auto bodies = ragged_bodies(1000);
  const auto copied = [&](const std::string& transfers, int steps) {
    auto engine = loaded(configuration_of({}, {"transfers=" + transfers}), bodies);
    after(*engine, bodies, steps);
    return engine->report().number("copied_bytes");
  };
  const auto each = [&](const std::string& transfers) {
    return (copied(transfers, 5) - copied(transfers, 2)) / 3.0 / 1000.0;
  };
  EXPECT_EQ(each("round-trip"), 32.0 + 12.0);
  EXPECT_EQ(each("round-trip-bodies"), 32.0 + 32.0);
  EXPECT_EQ(each("round-trip-positions"), 16.0 + 16.0);
  EXPECT_EQ(copied("round-trip-positions", 1), 1000.0 * (32.0 + 16.0));
}

// What lies on the GPU is not used where it may be of another time or form.
TEST_F(RoundTrip, ChangesOnTheWayAreTaken) {
  const auto bodies = ragged_bodies(777);
  const auto run = [&](const std::string& transfers) {
    auto engine = loaded(configuration_of({}, {"transfers=" + transfers}), bodies);
    Bodies state = after(*engine, bodies, 3);
    for (const Assignments& change :
         {Assignments{"layout=soa"}, Assignments{"time-step=0.002"}, Assignments{}}) {
      auto all = change;
      all.push_back("transfers=" + transfers);
      engine->configure(configuration_of({}, all));
      state = after(*engine, bodies, 3);
    }
    engine->load(state, 1.0);
    return after(*engine, state, 3);
  };
  const auto expected = run("resident");
  for (const char* way : round_trips)
    EXPECT_LT(largest_difference(run(way).position, expected.position), 3e-5) << way;
}

}  // namespace
}  // namespace orrery::sim
