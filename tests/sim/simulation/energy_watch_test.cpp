#include "sim/simulation/energy_watch.h"

#include <gtest/gtest.h>

#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/simulation/engine_registry.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::sim {
namespace {

/// A run of the CPU engine under the watch of its energy.
class WatchedEnergy : public testing::Test {
 protected:
  EnergyWatch run(const Bodies& bodies, const std::vector<std::string>& assignments, std::uint64_t steps) {
    OptionTable table;
    add_simulation_options(table);
    auto configuration = table.defaults();
    for (const auto* each : {"engine=cpu", "threads=1"}) table.assign(configuration, each);
    for (const auto& each : assignments) table.assign(configuration, each);
    const auto engine = make_engine(table, configuration);
    engine->load(bodies, 0.0);
    const auto physics = physics_of(configuration);
    EnergyWatch watch(bodies, steps);
    watch.look(*engine, physics);
    for (std::uint64_t k = 0; k < steps; ++k) {
      EXPECT_TRUE(engine->advance({}));
      watch.look(*engine, physics);
    }
    after_ = bodies;
    engine->read_back(after_);
    return watch;
  }
  /// Bodies of mass 1 at these places with these velocities.
  static Bodies bodies_at(const std::vector<Vec3>& places, const std::vector<Vec3>& velocities) {
    Bodies bodies;
    bodies.resize(places.size());
    bodies.position = places;
    bodies.velocity = velocities;
    std::ranges::fill(bodies.mass, 1.0F);
    return bodies;
  }
  Bodies after_;
};

bool names_the_pair(const std::string& problem) {
  return problem.find("bodies 1 and 2 passed each other") != std::string::npos;
}

/// Two bodies that fall past each other: at the closest they move several times their distance in a step.
TEST_F(WatchedEnergy, AFlyByThatIsNotResolvedIsNamed) {
  const auto pair = bodies_at({{-5, 0.02F, 0}, {5, -0.02F, 0}}, {{0.7F, 0, 0}, {-0.7F, 0, 0}});
  const std::vector<std::string> common{"softening=0", "kernel=simd-double", "state-precision=compensated"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), common.begin(), common.end());
    return more;
  };
  for (const auto* integrator : {"pefrl", "hermite", "leapfrog"}) {
    const auto watch = run(pair, with({std::string("integrator=") + integrator, "time-step=0.002"}), 4000);
    EXPECT_TRUE(names_the_pair(watch.problem())) << integrator << ": " << watch.problem();
    EXPECT_NE(watch.problem().find("step=even"), std::string::npos);
  }
  const auto apart = bodies_at({{-5, 1, 0}, {5, -1, 0}}, {{0.7F, 0, 0}, {-0.7F, 0, 0}});
  const auto fine = run(apart, with({"integrator=leapfrog", "time-step=0.002"}), 4000);
  EXPECT_EQ(fine.problem(), "") << fine.text(4000);
  const auto soft = run(pair, {"softening=0.5", "kernel=simd-double", "time-step=0.002"}, 4000);
  EXPECT_EQ(soft.problem(), "") << soft.text(4000);
}

/// An orbit of eccentricity 0.99 with 200 steps a period.
TEST_F(WatchedEnergy, ALongOrbitWithTooFewSteps) {
  const double speed = std::sqrt(2.0 * 0.005 / 0.995) / 2.0;
  const auto v = static_cast<float>(speed);
  const auto pair = bodies_at({{-0.995F, 0, 0}, {0.995F, 0, 0}}, {{0, -v, 0}, {0, v, 0}});
  const auto watch = run(pair, {"softening=0", "kernel=simd-double", "time-step=0.02"}, 1000);
  EXPECT_TRUE(names_the_pair(watch.problem())) << watch.problem() << watch.text(100);
}

/// Looking, and making steps once more, changes nothing of the run.
TEST_F(WatchedEnergy, ChangesNoBit) {
  const auto five = make_galaxy("plummer", {.bodies = 5, .seed = 3}).bodies;
  const std::vector<std::string> options{"softening=0", "time-step=0.05", "kernel=simd-double"};
  const auto watch = run(five, options, 3000);
  EXPECT_NE(watch.problem(), "") << watch.text(100);
  OptionTable table;
  add_simulation_options(table);
  auto configuration = table.defaults();
  for (const auto* each : {"engine=cpu", "threads=1"}) table.assign(configuration, each);
  for (const auto& each : options) table.assign(configuration, each);
  const auto engine = make_engine(table, configuration);
  engine->load(five, 0.0);
  for (int k = 0; k < 3000; ++k) engine->advance({});
  auto plain = five;
  engine->read_back(plain);
  EXPECT_EQ(after_.position, plain.position);
  EXPECT_EQ(after_.velocity, plain.velocity);
}

TEST_F(WatchedEnergy, GoodRunsAreGood) {
  for (const auto* model : {"plummer", "disk", "collision", "cold-sphere"}) {
    const auto scene = make_galaxy(model, {.bodies = 2000, .seed = 1});
    const auto step = "time-step=" + std::to_string(scene.physics.time_step);
    const auto softening = "softening=" + std::to_string(scene.physics.softening);
    for (const auto* kernel : {"kernel=simd", "kernel=tree"}) {
      const auto watch = run(scene.bodies, {kernel, step, softening}, 100);
      EXPECT_EQ(watch.problem(), "") << model << ", " << kernel;
      EXPECT_NE(watch.text(100), "");
    }
  }
}

/// A wrong integrator is found where nothing passes anything.
TEST_F(WatchedEnergy, ExplicitEulerGainsEnergy) {
  const auto scene = make_galaxy("plummer", {.bodies = 500, .seed = 1});
  const auto watch = run(scene.bodies, {"softening=0.1", "integrator=explicit-euler", "time-step=0.1"}, 200);
  EXPECT_NE(watch.problem().find("the energy has changed by"), std::string::npos) << watch.text(100);
}

}  // namespace
}  // namespace orrery::sim
