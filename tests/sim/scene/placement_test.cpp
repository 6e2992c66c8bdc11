#include "sim/scene/placement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sim/core/error.h"

namespace orrery::sim {
namespace {

Scene two_bodies(double mass = 1.0, const char* title = "pair") {
  Scene scene;
  scene.title = title;
  scene.bodies.resize(2);
  scene.bodies.position = {{1, 0, 0}, {3, 0, 0}};
  scene.bodies.velocity = {{0, 1, 0}, {0, -1, 0}};
  scene.bodies.mass = {static_cast<float>(mass), static_cast<float>(mass)};
  return scene;
}

void expect_near(const Vec3& a, const DVec3& b) { EXPECT_LT(norm(static_cast<DVec3>(a) - b), 1e-6) << a.x; }

TEST(Placement, IsReadAndWritten) {
  const auto full = parse_placement("1,-2,3e1:4,5,6:0,0,2,90");
  EXPECT_EQ(full.position, (DVec3{1, -2, 30}));
  EXPECT_EQ(full.velocity, (DVec3{4, 5, 6}));
  EXPECT_EQ(full.axis, (DVec3{0, 0, 2}));
  EXPECT_EQ(full.degrees, 90.0);
  EXPECT_EQ(parse_placement(to_string(full)), full);
  EXPECT_EQ(parse_placement("0.1,0,0").velocity, DVec3());
  EXPECT_EQ(parse_placement("1,2,3::1,0,0,45").degrees, 45.0);
  const auto thrown = parse_placement("auto:0,0,1");
  EXPECT_TRUE(thrown.thrown);
  EXPECT_EQ(parse_placement(to_string(thrown)), thrown);
}

TEST(Placement, RefusesWhatItCannotRead) {
  for (const char* text : {"", "1,2", "1,2,3,4", "a,b,c", "1,2,3:", "1,2,3:4,5", "1,2,3:4,5,6:1,0,0",
                           "1,2,3:4,5,6:0,0,0,90", "1,2,3:4,5,6:1,0,0,9:1", "1,2,inf", "auto,1,2"})
    EXPECT_THROW(parse_placement(text), UsageError) << text;
}

TEST(Placement, TurnsAboutTheCentreAndThenMoves) {
  auto scene = two_bodies();
  place(scene, parse_placement("10,0,0:0,0,5:0,0,1,90"));
  // About (2, 0, 0): (-1, 0, 0) becomes (0, -1, 0).
  expect_near(scene.bodies.position[0], {12, -1, 0});
  expect_near(scene.bodies.position[1], {12, 1, 0});
  expect_near(scene.bodies.velocity[0], {-1, 0, 5});
  expect_near(scene.bodies.velocity[1], {1, 0, 5});
}

TEST(Placement, JoinedBodiesAreOneGalaxyWithIdsOfTheirOwn) {
  auto scene = two_bodies();
  scene.bodies.galaxy = {0, 1};
  join(scene, two_bodies(2.0, "other"));
  EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(scene.bodies.galaxies().size(), 1U);
  EXPECT_EQ(scene.bodies.mass[3], 2.0F);
  EXPECT_EQ(scene.title, "pair + other");
}

TEST(Placement, UnitsOfTheFirstAreThoseOfAll) {
  auto first = two_bodies(), second = two_bodies(4.0);
  first.units = {.length = 1.0, .time = 1.0};
  second.units = {.length = 10.0, .time = 2.0};
  first.states_gravity = second.states_gravity = true;
  first.physics.gravitational_constant = 2.0;
  second.physics.gravitational_constant = 1.0;
  join(first, second);
  EXPECT_EQ(first.bodies.position[3].x, 30.0F);
  EXPECT_EQ(first.bodies.velocity[2].y, 5.0F);
  // G m / (x v^2) stays: 1 * 4 / (1 * 1) = 2 * m / (10 * 25).
  EXPECT_FLOAT_EQ(first.bodies.mass[2], 500.0F);
}

TEST(Placement, ScenesOfOneScaleHaveLengthsThatCanBeCompared) {
  std::vector<Scene> scenes{two_bodies(1.0, "first"), two_bodies(1.0, "far")};
  scenes[1].scale = 1e-3;  // as its reader left it: its numbers are a thousandth of the file's
  share_scale(scenes);
  EXPECT_FLOAT_EQ(scenes[0].bodies.position[1].x, 3e-3F);
  EXPECT_FLOAT_EQ(scenes[0].bodies.velocity[0].y, 1e-3F);
  EXPECT_FLOAT_EQ(scenes[0].bodies.mass[0], 1e-9F);
  EXPECT_EQ(scenes[1].bodies.position[1].x, 3.0F);
  EXPECT_EQ(scenes[0].scale, 1e-3);
  EXPECT_EQ(scenes[0].physics.gravitational_constant, 1.0);
}

TEST(Placement, ScalesThatFitNoneAreRefused) {
  std::vector<Scene> scenes{two_bodies(1.0, "small"), two_bodies(1.0, "far")};
  scenes[0].scale = 1e3;
  scenes[1].scale = 1e-3;
  EXPECT_THROW(share_scale(scenes), Error);
  std::vector<Scene> light{two_bodies(1e-30, "light"), two_bodies(1.0, "far")};
  light[1].scale = 1e-6;
  EXPECT_THROW(share_scale(light), Error);  // its masses would become 0
}

TEST(Placement, AutoIsAParabolicOrbit) {
  const auto first = two_bodies(3.0), second = two_bodies(5.0);
  const auto to = thrown_at(first, second);
  auto moved = second;
  place(moved, to);
  const auto centre = [](const Scene& s) {
    return 0.5 * (static_cast<DVec3>(s.bodies.position[0]) + static_cast<DVec3>(s.bodies.position[1]));
  };
  const auto r = centre(moved) - centre(first);
  const auto v = to.velocity;
  const double mass = 16.0;
  EXPECT_NEAR(0.5 * dot(v, v) - mass / norm(r), 0.0, 1e-6);  // relative energy of a parabola
  EXPECT_LT(dot(r, v), 0.0);
  const auto l = norm(cross(r, v));
  EXPECT_NEAR(l * l / (2.0 * mass), 2.0 / 4.0, 1e-6);  // its pericentre: a quarter of r90 + r90
}

}  // namespace
}  // namespace orrery::sim
