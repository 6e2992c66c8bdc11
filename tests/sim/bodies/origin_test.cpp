#include "sim/bodies/origin.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <string>

#include "sim/core/error.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/scene/body_filter.h"
#include "sim/scene/placement.h"
#include "sim/simulation/framed_engine.h"
#include "sim/snapshots/format.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

using checks::configuration_of;
using checks::ragged_bodies;
using checks::same_bits;

constexpr DVec3 far{1e5, -2e5, 3e5};

Bodies shifted(Bodies bodies, const DVec3& shift) {
  for (auto& x : bodies.position) x = static_cast<Vec3>(static_cast<DVec3>(x) + shift);
  return bodies;
}

Scene scene_of(Bodies bodies) {
  Scene scene;
  scene.bodies = std::move(bodies);
  scene.title = "far";
  return scene;
}

/// The scene written in that format, and read again.
Scene through_file(const Scene& scene, const std::string& name) {
  const test::TemporaryFolder folder;
  write_snapshot(scene, folder.path() / name);
  return read_snapshot(folder.path() / name);
}

TEST(Origin, BodiesNearZeroCountFromZero) {
  EXPECT_EQ(wanted_origin(ragged_bodies(100)), DVec3{});
  EXPECT_EQ(wanted_origin(shifted(ragged_bodies(100), {3.0, 0.0, 0.0})), DVec3{});
  EXPECT_EQ(wanted_origin({}), DVec3{});
}

TEST(Origin, FarBodiesCountFromARoundPlaceAmongThem) {
  const auto bodies = shifted(ragged_bodies(100), {1e5, 0.0, -300.0});
  const auto origin = wanted_origin(bodies);
  EXPECT_NEAR(origin.x, 1e5, 1.0);
  EXPECT_EQ(origin.y, 0.0);
  EXPECT_NEAR(origin.z, -300.0, 1.0);
  EXPECT_EQ(origin.x, std::round(origin.x * 4.0) / 4.0);
  EXPECT_TRUE(keeps_bits(bodies.position, origin));
}

TEST(Origin, ABodyWhosePlaceWouldNotComeBackIsNoticed) {
  auto bodies = shifted(ragged_bodies(100), far);
  bodies.position[3] = {0.123F, 0.0F, 0.0F};
  EXPECT_FALSE(keeps_bits(bodies.position, far));
}

TEST(Origin, BodiesOfAnotherOriginAreAppendedWhereTheyAre) {
  auto bodies = ragged_bodies(10);
  bodies.origin = far;
  auto more = ragged_bodies(10);
  more.origin = far + DVec3{2.0, 0.0, 0.0};
  bodies.append(more);
  EXPECT_EQ(bodies.origin, far);
  EXPECT_EQ(bodies.position[10], more.position[0] + (Vec3{2.0F, 0.0F, 0.0F}));
}

TEST(Origin, FilesOfEveryFormatComeBackBitForBit) {
  const auto scene = scene_of(shifted(ragged_bodies(200), far));
  for (const char* name : {"a.tipsy", "a.csv", "a.bin", "a.gadget", "a.nemo", "a.vtp"}) {
    Scene read;
    try {
      read = through_file(scene, name);
    } catch (const UsageError&) {
      continue;  // it can only be read
    }
    EXPECT_EQ(read.bodies.origin, wanted_origin(scene.bodies)) << name;
    const auto again = through_file(read, name);
    EXPECT_EQ(again.bodies.origin, read.bodies.origin) << name;
    EXPECT_TRUE(same_bits(again.bodies.position, read.bodies.position)) << name;
    auto back = again.bodies;
    set_origin(back, {});
    EXPECT_TRUE(same_bits(back.position, scene.bodies.position)) << name;
  }
}

TEST(Origin, ATextKeepsTheDigitsThatSinglePrecisionHasNot) {
  const test::TemporaryFolder folder;
  std::string text = "mass,x,y,z\n";
  for (int k = 0; k < 20; ++k)
    text += "1,100000.00" + std::to_string(100 + k) + ",0.5," + std::to_string(k) + "\n";
  const auto path = folder.path() / "far.csv";
  std::ofstream(path) << text;
  const auto scene = read_snapshot(path);
  // 1e5 has no neighbours nearer than 0.0078.
  EXPECT_NEAR(absolute_place(scene.bodies, 7).x, 100000.00107, 1e-9);
  const auto again = through_file(scene, "b.csv");
  EXPECT_TRUE(same_bits(again.bodies.position, scene.bodies.position));
}

TEST(Origin, FiltersAndOffsetsCountFromZero) {
  auto scene = scene_of(ragged_bodies(200));
  scene.bodies.origin = far;
  BodyFilter filter;
  set_box(filter, "100000,-300000,0,200000,0,400000");
  auto part = scene;
  apply_filter(part, filter);
  EXPECT_LT(part.bodies.size(), 200U);
  for (const auto& x : part.bodies.position) EXPECT_GE(x.x, 0.0F);
  auto moved = scene;
  place(moved, parse_placement("1,0,0"));
  EXPECT_EQ(moved.bodies.origin, far);
  EXPECT_NEAR(moved.bodies.position[3].x, scene.bodies.position[3].x + 1.0F, 1e-6);
  EXPECT_EQ(median_place(scene.bodies), far + median_place(ragged_bodies(200)));
}

TEST(Origin, DiagnosticsCanCountFromZero) {
  auto bodies = ragged_bodies(50);
  const auto galaxies = bodies.galaxies();
  bodies.origin = far;
  Physics physics;
  physics.field = find_external_field("point-mass");
  const auto here = diagnose(view_of(bodies, galaxies), {.physics = physics});
  const auto from_zero = counted_from_zero(here, bodies.origin);
  auto rounded = bodies;
  set_origin(rounded, {});
  const auto expected = diagnose(view_of(rounded, galaxies), {.physics = physics});
  EXPECT_NEAR(norm(from_zero.center_of_mass - expected.center_of_mass), 0.0, 0.02);
  EXPECT_NEAR(norm(from_zero.angular_momentum - expected.angular_momentum), 0.0, 0.02);
  EXPECT_GT(norm(here.angular_momentum - expected.angular_momentum), 1.0);
  EXPECT_NEAR(here.external / expected.external, 1.0, 1e-6);
}

/// After 200 steps as the same sphere at 0, which was "0.17 off", or did not move at all.
TEST(Origin, AShiftedSphereMovesAsOneAtZero) {
  const auto sphere = ragged_bodies(200);
  const auto configuration = configuration_of({.name = "", .assignments = {"engine=cpu", "threads=1"}},
                                              {"time-step=0.005", "softening=0.05"});
  const auto at_zero = checks::after(*checks::loaded(configuration, sphere), sphere, 200);
  for (const double size : {1e5, 1e6}) {
    const test::TemporaryFolder folder;
    std::ofstream out(folder.path() / "far.csv");
    out << "mass,x,y,z,vx,vy,vz\n";
    for (std::size_t i = 0; i < sphere.size(); ++i) {
      const auto& [x, v] = std::pair(static_cast<DVec3>(sphere.position[i]), sphere.velocity[i]);
      out << fmt::format("{},{},{},{},{},{},{}\n", sphere.mass[i], x.x + size, x.y - size, x.z, v.x, v.y,
                         v.z);
    }
    out.close();
    const auto scene = read_snapshot(folder.path() / "far.csv");
    const auto moved = checks::after(*checks::loaded(configuration, scene.bodies), scene.bodies, 200);
    double largest = 0.0;
    for (std::size_t i = 0; i < sphere.size(); ++i) {
      const auto place = absolute_place(moved, i) - DVec3{size, -size, 0.0};
      largest = std::max(largest, norm(place - static_cast<DVec3>(at_zero.position[i])));
    }
    EXPECT_LT(largest, 1e-4) << size;
  }
}

TEST(Origin, AFieldStaysWhereItIs) {
  auto bodies = ragged_bodies(50);
  const auto absolute = shifted(bodies, {100.0, 0.0, 0.0});
  bodies.origin = {100.0, 0.0, 0.0};
  for (const auto* field : external_fields()) {
    const auto configuration =
        configuration_of({.name = "", .assignments = {"engine=cpu", "threads=1"}},
                         {checks::field_setting(*field, {.field_mass = 100000.0, .field_speed = 30.0}),
                          "field-center=0:0:4", "time-step=0.01"});
    auto moved = checks::after(*checks::loaded(configuration, bodies), bodies, 10);
    const auto expected = checks::after(*checks::loaded(configuration, absolute), absolute, 10);
    set_origin(moved, {});
    EXPECT_LT(checks::largest_difference(moved.position, expected.position), 2e-4) << field->name;
    EXPECT_GT(checks::largest_difference(moved.position, absolute.position), 1e-3) << field->name;
  }
}

}  // namespace
}  // namespace orrery::sim
