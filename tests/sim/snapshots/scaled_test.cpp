#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "sim/core/error.h"
#include "sim/scene/unit_systems.h"
#include "sim/series/series_reader.h"
#include "tests/sim/snapshots/snapshot_testing.h"

// Numbers of files in double precision that single precision cannot hold.

namespace orrery::sim {
namespace {

class Scaled : public SnapshotTest {};

/// Two bodies, the second 1e10 from the first and as heavy as `mass`.
std::string planets(const std::string& mass) {
  return "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0," + mass + "\n1e10,0,0,0,2e4,0,5e30\n";
}

TEST_F(Scaled, MassesThatAreTooLargeAreScaledSoThatGravityAndTimesStay) {
  const auto scene = read_snapshot(save("heavy.csv", planets("4.9e41")));
  ASSERT_EQ(scene.bodies.size(), 2U);
  const double s = scene.scale;
  EXPECT_EQ(s, 1e-6);
  EXPECT_FLOAT_EQ(scene.bodies.mass[0], static_cast<float>(4.9e41 * s * s * s));
  EXPECT_FLOAT_EQ(scene.bodies.mass[1], static_cast<float>(5e30 * s * s * s));
  EXPECT_FLOAT_EQ(scene.bodies.position[1].x, static_cast<float>(1e10 * s));
  EXPECT_FLOAT_EQ(scene.bodies.velocity[1].y, static_cast<float>(2e4 * s));
  EXPECT_EQ(scene.physics.gravitational_constant, 1.0);
  EXPECT_TRUE(has_note(scene, "numbers beyond single precision"));
}

TEST_F(Scaled, UnitsSayTheScale) {
  const auto scene = read_snapshot(save("heavy.csv", planets("4.9e41")), {.units = "si"});
  EXPECT_EQ(scene.physics.gravitational_constant, 6.6743e-11);
  EXPECT_DOUBLE_EQ(scene.units.length, 1e6);
  EXPECT_DOUBLE_EQ(scene.units.mass, 1e18);
  EXPECT_DOUBLE_EQ(scene.units.time, 1.0);
  // The acceleration of the second body in metres a second squared.
  const auto& bodies = scene.bodies;
  const double pull = scene.physics.gravitational_constant * bodies.mass[0] /
                      (static_cast<double>(bodies.position[1].x) * bodies.position[1].x);
  EXPECT_NEAR(pull * scene.units.length / (6.6743e-11 * 4.9e41 / 1e20), 1.0, 1e-6);
}

TEST_F(Scaled, NumbersThatFitStayBitForBit) {
  const auto scene = read_snapshot(save("light.csv", planets("3e38")));
  EXPECT_EQ(scene.scale, 1.0);
  EXPECT_EQ(scene.bodies.mass[0], 3e38F);
  EXPECT_EQ(scene.bodies.position[1].x, 1e10F);
}

TEST_F(Scaled, PlacesAndVelocitiesToo) {
  const auto far =
      read_snapshot(save("far.csv", "x,y,z,vx,vy,vz,mass\n0,0,0,0,0,0,1\n1e40,0,0,0,1e39,0,1\n"));
  EXPECT_NEAR(far.bodies.position[1].x / (1e40 * far.scale), 1.0, 1e-6);
  EXPECT_NEAR(far.bodies.velocity[1].y / (1e39 * far.scale), 1.0, 1e-6);
  EXPECT_GT(far.bodies.mass[0], 0.0F);
}

TEST_F(Scaled, EveryTextFormatIs) {
  const auto expect_scaled = [&](const std::string& name, const std::string& text, float mass_of_one) {
    const auto scene = read_snapshot(save(name, text));
    EXPECT_LT(scene.scale, 1.0) << name;
    const double s = scene.scale;
    EXPECT_NEAR(scene.bodies.position[1].x / (1e40 * s), 1.0, 1e-6) << name;
    EXPECT_NEAR(scene.bodies.mass[1] / (mass_of_one * s * s * s), 1.0, 1e-6) << name;
  };
  expect_scaled("com.txt", "0.5f,0,0,0,1f\n1e40,0,0,0,2\n", 2.0F);
}

TEST_F(Scaled, IsSaidOfBodiesFarFromZeroToo) {
  const auto far =
      read_snapshot(save("far.csv", "x,y,z,vx,vy,vz,mass\n1e42,0,0,0,0,0,1\n1.0001e42,0,0,0,0,0,1\n"));
  EXPECT_NE(far.bodies.origin.x, 0.0);
  EXPECT_TRUE(has_note(far, "numbers beyond single precision"));
}

TEST_F(Scaled, WhatIsFarBeyondIsRefusedInOneLine) {
  try {
    read_snapshot(save("huge.csv", planets("1e300")));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("not finite in single precision"), std::string::npos)
        << error.what();
  }
}

TEST_F(Scaled, MassesThatAreTooSmallAreScaledToo) {
  const auto scene = read_snapshot(save("tiny.csv", "x,y,z,mass\n1,0,0,1e-50\n0,1,0,2e-50\n"));
  const double s = scene.scale;
  EXPECT_GT(s, 1.0);
  EXPECT_NEAR(scene.bodies.mass[1] / (2e-50 * s * s * s), 1.0, 1e-6);
  EXPECT_FLOAT_EQ(scene.bodies.position[0].x, static_cast<float>(s));
  EXPECT_TRUE(has_note(scene, "numbers beyond single precision"));
}

TEST_F(Scaled, MassesThatVanishBesideLargeOnesAreSaid) {
  const auto scene = read_snapshot(save("one.csv", "x,y,z,mass\n1,0,0,1e-50\n0,1,0,1\n0,1,1,0\n"));
  EXPECT_EQ(scene.scale, 1.0);
  EXPECT_TRUE(has_note(scene, "1 mass became 0"));
  EXPECT_TRUE(has_note(read_snapshot(save("far.csv", "x,y,z,mass\n1,0,0,1e-300\n0,1,0,1e-300\n")),
                       "2 masses became 0"));
  EXPECT_FALSE(has_note(read_snapshot(save("none.csv", "x,y,z,mass\n1,0,0,0\n0,1,0,1\n")), "became 0"));
}

TEST_F(Scaled, ASeriesKeepsTheScaleOfItsFirstSnapshot) {
  save("s_1.csv", planets("4.9e41"));
  save("s_2.csv", planets("4.9e38"));
  const auto first = std::make_shared<const Scene>(read_snapshot(folder() / "s_1.csv"));
  SeriesReader reader(list_snapshots(folder() / "s_*.csv"), first);
  const auto second = reader.wait_for(1);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->position[1].x, first->bodies.position[1].x);
}

}  // namespace
}  // namespace orrery::sim
