// One galaxy in domains over several GPUs: one GPU that has several parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/core/random.h"
#include "sim/cuda/driver/device.h"
#include "tests/sim/cuda/device_vertices.h"
#include "tests/sim/cuda/forces_on_gpu.h"
#include "tests/sim/cuda/repeated_gpu.h"

namespace orrery::sim {
namespace {

using Repeated = checks::RepeatedGpu;

struct Domains {
  static Settings assignments() { return {"engine=cuda", "family=tree"}; }
};

class DomainsOnGpu : public ForcesOnGpu<Domains> {
 protected:
  /// After so many steps.
  static Bodies moved(const Bodies& bodies, const Settings& more, int steps) {
    const auto engine = checks::loaded(configuration(more), bodies);
    return checks::after(*engine, bodies, steps);
  }
  static double fact(const Engine& engine, std::string_view key) {
    const auto report = engine.report();
    const auto found = std::ranges::find(report.facts, key, &Fact::key);
    if (found == report.facts.end()) return -1.0;
    if (const auto* whole = std::get_if<std::int64_t>(&found->value)) return static_cast<double>(*whole);
    return std::get<double>(found->value);
  }
};

TEST_F(DomainsOnGpu, ForcesHaveTheErrorOfOneTree) {
  for (const char* model : {"plummer", "disk"}) {
    for (const std::size_t count : {1000U, 4099U, 65'537U}) {
      const auto bodies = made(model, count);
      const auto one = error_of(bodies);
      for (const int domains : {2, 3, 4}) {
        const Repeated parts(domains);
        const auto error = error_of(bodies);
        const auto what = std::string(model) + ' ' + std::to_string(count) + " in " + std::to_string(domains);
        EXPECT_LT(error.median, 1.3 * one.median + 1e-5) << what;
        EXPECT_LT(error.p99, 1.5 * one.p99 + 1e-4) << what;
        EXPECT_LT(error.maximum, 1e-1) << what;
        RecordProperty(what, std::to_string(error.median) + " " + std::to_string(one.median));
      }
    }
  }
}

TEST_F(DomainsOnGpu, WithoutOpeningEveryPairIsSummed) {
  const Repeated parts(3);
  const auto bodies = sphere(10'007);
  EXPECT_LT(error_of(bodies, {"opening=relative:0"}).maximum, 1e-4);
  const auto engine = checks::loaded(configuration({"opening=relative:0"}), bodies);
  engine->advance({});
  engine->finish();
  EXPECT_EQ(engine->status().timings.interactions, 10'007.0 * 10'007.0);
  EXPECT_EQ(engine->report().devices, 3U);
}

TEST_F(DomainsOnGpu, GeometricOpeningAndEverySizeOfGroup) {
  const Repeated parts(3);
  EXPECT_LT(error_of(sphere(), {"opening=geometric:0.6"}).median, 1e-3);
  for (const char* group : {"group-size=32", "group-size=64", "group-size=128"})
    EXPECT_LT(error_of(sphere(), {group}).median, 1e-3) << group;
}

TEST_F(DomainsOnGpu, ThirdMomentsAreSent) {
  const Settings third{"order=octupole", "opening=relative:1e-4"};
  const auto bodies = sphere(65'537);
  const auto one = error_of(bodies, third);
  const Repeated parts(3);
  const auto several = error_of(bodies, third);
  EXPECT_LT(several.median, 1.3 * one.median + 1e-6);
  EXPECT_LT(several.p99, 1.5 * one.p99);
}

TEST_F(DomainsOnGpu, HardScenes) {
  auto masses = sphere();
  Random random(9);
  for (auto& mass : masses.mass) mass = static_cast<float>(std::pow(10.0, -6.0 * random.uniform()));
  masses.mass[77] = 1e6F;
  auto pairs = sphere();
  for (std::size_t i = 1; i < pairs.size(); i += 2) pairs.position[i] = pairs.position[i - 1];
  auto two = sphere();
  for (std::size_t i = 0; i < two.size(); i += 2) two.position[i].x += 1e3F;
  auto light = sphere();
  for (std::size_t i = 0; i < light.size(); i += 2) light.mass[i] = 0.0F;
  for (const int domains : {2, 4}) {
    const Repeated parts(domains);
    EXPECT_LT(error_of(masses).median, 1e-3);
    EXPECT_LT(error_of(pairs).median, 1e-3);
    EXPECT_LT(error_of(two).median, 1e-3);
    EXPECT_LT(error_of(two).p99, 1e-2);
    EXPECT_LT(error_of(light).median, 1e-3);
    for (const float far : {1e3F, 1e6F, 1e12F}) {
      auto outside = sphere();
      for (std::size_t i = 0; i < 20; ++i) outside.position[i * 1000] *= far;
      const auto error = error_of(outside);
      EXPECT_LT(error.median, 1e-3) << far;
      EXPECT_LT(error.p99, 2e-2) << far;
    }
    auto one_place = sphere(5003);
    std::ranges::fill(one_place.position, Vec3{1, 2, 3});
    std::ranges::fill(one_place.velocity, Vec3{});
    for (const auto& a : forces(one_place).acceleration) EXPECT_EQ(norm(a), 0.0F);
  }
}

TEST_F(DomainsOnGpu, FewBodies) {
  for (const std::size_t count : {1U, 2U, 3U, 5U, 33U, 129U}) {
    const auto bodies = checks::ragged_bodies(count);
    const Repeated parts(4);
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {}, 0.05, count)), 1e-2) << count;
    EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {"opening=relative:0"}, 0.05, count)), 2e-5)
        << count;
  }
}

// Each body is where one GPU has it: bodies are in the order of the dataset for everybody outside.
TEST_F(DomainsOnGpu, BodiesKeepTheirNumbers) {
  for (const char* integrator : {"integrator=leapfrog", "integrator=velocity-verlet", "integrator=yoshida"}) {
    const auto bodies = made("disk", 20'011);
    const Settings more{integrator, "time-step=0.002"};
    const auto one = moved(bodies, more, 20);
    for (const int domains : {2, 3}) {
      const Repeated parts(domains);
      const auto several = moved(bodies, more, 20);
      EXPECT_LT(checks::largest_difference(one.position, several.position), 1e-3) << integrator;
      EXPECT_LT(checks::largest_difference(one.velocity, several.velocity), 5e-2) << integrator;
      EXPECT_EQ(one.mass, several.mass);
    }
  }
}

TEST_F(DomainsOnGpu, AdaptiveStepsAndACompensatedState) {
  const auto bodies = sphere(5003);
  for (const Settings& more : {Settings{"step=adaptive", "time-step=0.02"},
                               Settings{"state-precision=compensated", "time-step=0.005"}}) {
    const auto one = moved(bodies, more, 10);
    const Repeated parts(3);
    EXPECT_LT(checks::largest_difference(one.position, moved(bodies, more, 10).position), 2e-3)
        << more.front();
  }
}

TEST_F(DomainsOnGpu, TheSameBitsInEveryRun) {
  const auto bodies = made("disk", 50'001);
  const Repeated parts(3);
  const auto first = moved(bodies, {}, 20);
  for (int k = 0; k < 3; ++k) {
    const auto again = moved(bodies, {}, 20);
    EXPECT_TRUE(checks::same_bits(first.position, again.position));
    EXPECT_TRUE(checks::same_bits(first.velocity, again.velocity));
  }
}

// Bodies that have left their domain are computed where they are, with the same error, and keep their
// numbers.
TEST_F(DomainsOnGpu, GuestsAreComputedWhereTheyAre) {
  const auto bodies = made("plummer", 50'001);
  const Settings more{"time-step=0.01"};
  const auto one = moved(bodies, more, 40);
  for (const int count : {2, 4}) {
    const Repeated parts(count);
    const auto engine = checks::loaded(configuration(more), bodies);
    const auto several = checks::after(*engine, bodies, 40);
    EXPECT_GT(fact(*engine, "domain_guests"), 2000.0);
    EXPECT_LT(checks::largest_difference(one.position, several.position), 5e-2);
    engine->observe({.forces = 2000, .seed = 1});
    engine->advance({});
    engine->finish();
    const auto error = force_error(engine->poll().forces.value());
    EXPECT_LT(error.median, 1e-3);
    EXPECT_LT(error.p99, 1e-2);
  }
}

/// Half of the bodies cost far more than the others: their positions are scaled down so much.
Bodies uneven(std::size_t count, float scale = 1e-3F) {
  auto bodies = make_galaxy("plummer", {.bodies = count, .seed = 3}).bodies;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 0) bodies.position[i] *= scale;
    bodies.velocity[i] = {};
  }
  return bodies;
}

// Where work is uneven, the galaxy is cut anew, or borders move on the curve.
TEST_F(DomainsOnGpu, HaveAsMuchToDoAsEachOther) {
  const auto bodies = uneven(20'011, 0.01F);
  const Settings more{"time-step=1e-7"};
  constexpr int steps = 8;
  const auto one = moved(bodies, more, steps);
  const Repeated parts(3);
  const auto engine = checks::loaded(configuration(more), bodies);
  std::vector<double> shares;
  for (int k = 0; k < steps; ++k) {
    engine->advance({});
    engine->finish();
    shares.push_back(fact(*engine, "domain_largest_share"));
  }
  EXPECT_GT(shares.front(), 1.1) << "the first cut knows nothing of costs";
  EXPECT_LT(shares.back(), 1.04) << testing::PrintToString(shares);
  auto several = bodies;
  engine->read_back(several);
  EXPECT_LT(checks::largest_difference(one.position, several.position), 1e-4);
  EXPECT_LT(checks::largest_difference(one.velocity, several.velocity), 1.0);
  EXPECT_GT(fact(*engine, "sent_bytes_per_evaluation"), 1000.0);
  EXPECT_GT(fact(*engine, "domain_walk_ms"), 0.0);
}

TEST_F(DomainsOnGpu, AreCutAgainWhereMostBodiesHaveLeft) {
  const auto bodies = made("plummer", 20'011);
  const Settings more{"time-step=0.3"};
  const Repeated parts(3);
  const auto engine = checks::loaded(configuration(more), bodies);
  checks::after(*engine, bodies, 2);
  const double before = fact(*engine, "domain_guests");
  engine->advance({});
  engine->finish();
  EXPECT_GE(fact(*engine, "domain_cuts"), 1.0);
  EXPECT_LT(fact(*engine, "domain_guests"), 0.7 * before);
}

TEST_F(DomainsOnGpu, GoOnFromACheckpointWithTheSameBits) {
  for (const auto& bodies : {made("disk", 20'011), uneven(20'011)}) {
    const Repeated parts(3);
    const auto settings = configuration({"time-step=1e-5"});
    for (const int pause : {1, 2, 7}) {
      const auto whole = checks::loaded(settings, bodies);
      const auto expected = checks::after(*whole, bodies, 10);
      const auto first = checks::loaded(settings, bodies);
      checks::after(*first, bodies, pause);
      const auto kept = first->save_state();
      const auto second = checks::loaded(settings, bodies);
      EXPECT_TRUE(second->restore_state(kept));
      const auto found = checks::after(*second, bodies, 10 - pause);
      EXPECT_TRUE(checks::same_bits(expected.position, found.position)) << pause;
      EXPECT_TRUE(checks::same_bits(expected.velocity, found.velocity)) << pause;
      // One GPU goes on from positions and velocities.
      const auto alone =
          checks::loaded(checks::configuration_of(engine_case({"split-by=bodies", "family=tiled"})), bodies);
      EXPECT_FALSE(alone->restore_state(kept));
    }
  }
}

TEST_F(DomainsOnGpu, VerticesAreInTheOrderOfTheDataset) {
  const auto bodies = made("disk", 20'011);
  const Repeated parts(3);
  const auto engine = checks::loaded(configuration({}), bodies);
  const checks::Vertices vertices(bodies.size());
  for (int step = 0; step < 4; ++step) {
    if (step > 0) {
      while (!engine->advance({})) continue;
    }
    engine->write_vertices(vertices.target);
    engine->finish();
    auto host = bodies;
    engine->read_back(host);
    const auto drawn = vertices.read();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto& x = host.position[i];
      const auto& v = host.velocity[i];
      const float* at = drawn.data() + 4 * i;
      const float* moving = at + 4 * bodies.size();
      if (at[0] != x.x || at[1] != x.y || at[2] != x.z || at[3] != host.mass[i] || moving[0] != v.x ||
          moving[2] != v.z)
        ++wrong;
    }
    EXPECT_EQ(wrong, 0U) << step;
  }
}

TEST_F(DomainsOnGpu, OptionsChangeWhileItRuns) {
  const auto bodies = sphere(20'011);
  const auto one = moved(bodies, {"time-step=0.001"}, 12);
  const Repeated parts(3);
  const auto engine = checks::loaded(configuration({"time-step=0.001"}), bodies);
  for (const Settings& more :
       {Settings{}, Settings{"group-size=32"}, Settings{"opening=relative:0.003"},
        Settings{"family=tiled", "split-by=bodies"}, Settings{"layout=soa"}, Settings{}}) {
    auto all = more;
    all.emplace_back("time-step=0.001");
    engine->configure(configuration(all));
    checks::after(*engine, bodies, 2);
  }
  const auto several = checks::after(*engine, bodies, 0);
  EXPECT_LT(checks::largest_difference(one.position, several.position), 1e-3);
}

// The exchange of whole positions, with several parts on a GPU.
TEST_F(DomainsOnGpu, SharedBodiesGiveTheSameToRounding) {
  const auto bodies = checks::ragged_bodies(1001, 2);
  const Settings tiled{"family=tiled", "split-by=bodies"};
  const auto one = moved(bodies, tiled, 10);
  for (const int count : {2, 3}) {
    const Repeated parts(count);
    EXPECT_LT(checks::largest_difference(one.position, moved(bodies, tiled, 10).position), 1e-6);
  }
  const Repeated parts(2);
  const auto engine = checks::loaded(configuration(tiled), bodies);
  engine->advance({});
  EXPECT_EQ(engine->report().devices, 2U);
}

// A tree on each GPU for whole galaxies, as before.
TEST_F(DomainsOnGpu, SeveralGalaxiesGoWholeToTheirGpus) {
  const auto bodies = checks::ragged_bodies(10'007, 5);
  const Repeated parts(2);
  EXPECT_LT(checks::largest_error_of_pulls(forces(bodies, {}, 0.05, 10'007)), 3e-2);
}

}  // namespace
}  // namespace orrery::sim
