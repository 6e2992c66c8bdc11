#include "sim/scene/unit_systems.h"

#include <gtest/gtest.h>

#include "sim/bodies/components.h"
#include "sim/core/error.h"
#include "sim/galaxies/model.h"
#include "sim/options/physics_options.h"
#include "sim/scene/body_filter.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

Bodies after(const Scene& scene, int steps) {
  auto configuration = checks::simulation_options().defaults();
  set_physics(configuration, scene.physics);
  configuration.set("kernel", std::string("omp-bodies"));
  const auto engine = make_engine(checks::simulation_options(), configuration);
  engine->load(scene.bodies, scene.time);
  for (int step = 0; step < steps; ++step) engine->advance({});
  auto bodies = scene.bodies;
  engine->read_back(bodies);
  return bodies;
}

/// The trajectory of the scaled scene is the scaled trajectory.
void expect_scaled_trajectory(Scene scene, const UnitScales& scales, int steps) {
  const auto plain = after(scene, steps);
  auto scaled = scene;
  scale_units(scaled, scales);
  const auto moved = after(scaled, steps);
  double moved_by = 0.0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const auto x = scales.length * DVec3(plain.position[i]);
    const auto v = scales.velocity * DVec3(plain.velocity[i]);
    EXPECT_LE(norm(DVec3(moved.position[i]) - x), 1e-4 * scales.length) << i;
    EXPECT_LE(norm(DVec3(moved.velocity[i]) - v), 1e-4 * scales.velocity) << i;
    moved_by = std::max(moved_by, norm(DVec3(plain.velocity[i]) - DVec3(scene.bodies.velocity[i])));
  }
  EXPECT_GT(moved_by, 0.05) << "the forces must matter";
}

TEST(Units, GravityMovesAsBefore) {
  auto scene = make_galaxy("plummer", {.bodies = 100, .seed = 1});
  scene.physics.gravitational_constant = 1.5;
  expect_scaled_trajectory(scene, {.mass = 7.0}, 60);
  expect_scaled_trajectory(scene, {.length = 0.03}, 60);
  expect_scaled_trajectory(scene, {.velocity = 220.0}, 60);
  expect_scaled_trajectory(scene, {.mass = 2e10, .length = 3.5, .velocity = 0.01}, 60);
}

TEST(Units, ChargesMoveAsBefore) {
  auto scene = make_galaxy("charges", {.bodies = 60, .seed = 1});
  scene.physics.magnetic = 0.3;
  expect_scaled_trajectory(scene, {.mass = 4.0, .length = 0.5, .velocity = 3.0}, 100);
}

TEST(Units, TimesFollow) {
  auto scene = make_galaxy("plummer", {.bodies = 16, .seed = 1});
  scene.time = 6.0;
  scene.physics.time_step = 0.5;
  scene.speed = 2.0;
  scale_units(scene, {.length = 3.0, .velocity = 2.0});
  EXPECT_DOUBLE_EQ(scene.time, 9.0);
  EXPECT_DOUBLE_EQ(scene.physics.time_step, 0.75);
  EXPECT_DOUBLE_EQ(scene.speed, 3.0);
}

/// The ECE1782 report: masses in solar ones times 4.3009e-3, lengths in parsecs and velocities in km/s stay.
TEST(Units, UnitGravityTakesTheMasses) {
  auto scene = make_galaxy("plummer", {.bodies = 16, .seed = 1});
  scene.physics.gravitational_constant = 4.3009e-3;
  const auto before = scene.bodies;
  scale_units(scene, scales_to_unit_gravity(scene));
  EXPECT_DOUBLE_EQ(scene.physics.gravitational_constant, 1.0);
  EXPECT_EQ(scene.bodies.position, before.position);
  EXPECT_EQ(scene.bodies.velocity, before.velocity);
  EXPECT_FLOAT_EQ(scene.bodies.mass[3], before.mass[3] * 4.3009e-3F);
}

TEST(Units, NumbersThatLeaveSinglePrecisionAreRefused) {
  auto scene = make_galaxy("plummer", {.bodies = 16, .seed = 1});
  EXPECT_THROW(scale_units(scene, {.length = 1e39}), Error);
}

TEST(Components, SetsAreReadFromNames) {
  const ComponentSet stars("stars,bulge", "");
  EXPECT_TRUE(stars.has(Component::star));
  EXPECT_TRUE(stars.has(Component::bulge));
  EXPECT_FALSE(stars.has(Component::halo));
  const ComponentSet luminous("", "gas,dark");
  EXPECT_FALSE(luminous.has(Component::gas));
  EXPECT_FALSE(luminous.has(Component::halo));
  EXPECT_TRUE(luminous.has(Component::disk));
  EXPECT_TRUE(ComponentSet("", "").all());
  EXPECT_THROW(ComponentSet("sta", ""), UsageError);
  EXPECT_THROW(ComponentSet("disk", "disk"), UsageError);
  EXPECT_THROW(ComponentSet("disk,", ",").all(), UsageError);
}

TEST(Components, OthersAreTakenAwayAndGalaxiesNumberedAnew) {
  Scene scene;
  auto& bodies = scene.bodies;
  bodies.resize(6);
  for (std::size_t i = 0; i < 6; ++i) {
    bodies.position[i].x = static_cast<float>(i);
    bodies.component[i] = i % 2 == 0 ? Component::disk : Component::halo;
    bodies.galaxy[i] = i < 1 ? 0 : i < 2 ? 1 : 4;
  }
  keep_components(scene, ComponentSet("halo", ""));
  ASSERT_EQ(bodies.size(), 3U);
  EXPECT_EQ(bodies.position[1].x, 3.0F);
  EXPECT_EQ(bodies.id[2], 5U);
  EXPECT_EQ(bodies.galaxy, (std::vector<std::uint32_t>{0, 1, 1}));
}

}  // namespace
}  // namespace orrery::sim
