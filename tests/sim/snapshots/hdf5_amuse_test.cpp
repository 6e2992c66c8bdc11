#include <array>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "sim/snapshots/stated_units.h"
#include "tests/sim/snapshots/hdf5_testing.h"

namespace orrery::sim {
namespace {

void put_amuse(Hdf5Output& out, const std::string& set, const std::string& length, double size) {
  const std::string system = length.find("S.I.") != std::string::npos ? "S.I." : "generic";
  const std::string time = "system.get('" + system + "').base('time')";
  out.group(set);
  out.attribute(set, "number_of_particles", 2);
  out.attribute(set, "class_of_the_particles", std::string("cos\nsystem\n(S'false'\ntR."));
  out.group(set + "/attributes");
  out.dataset(set + "/keys", 1, Ids{1ULL << 60U, 5});
  for (const std::string name : {"x", "y", "z", "vx", "vy", "vz", "mass", "radius"}) {
    const auto path = set + "/attributes/" + name;
    const bool is_velocity = name.size() == 2;
    out.dataset(path, 1, name == "mass" ? Doubles{2e30, 4e30} : Doubles{is_velocity ? 1e3 : size, -size});
    const auto velocity = "(" + length + " * (" + time + "**-1))";
    out.attribute(path, "units",
                  name == "mass" ? "system.get('" + system + "').base('mass')"
                  : is_velocity  ? velocity
                                 : length);
  }
}

TEST_F(Hdf5, AmuseFarFromZeroKeepsItsDigits) {
  const std::string length = "system.get('generic').base('length')", set = "/particles/0000000001";
  Doubles x, rest;
  for (int k = 0; k < 20; ++k) x.push_back(1e8 + 0.125 * k), rest.push_back(k);
  out().group("/particles");
  out().group(set);
  out().attribute(set, "number_of_particles", 20);
  out().group(set + "/attributes");
  for (const std::string name : {"x", "y", "z"}) {
    out().dataset(set + "/attributes/" + name, 1, name == "x" ? x : rest);
    out().attribute(set + "/attributes/" + name, "units", length);
  }
  const auto scene = read_made();
  EXPECT_NEAR(scene.bodies.origin.x, 1e8, 8.0);
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(absolute_place(scene.bodies, k).x, x[k]);
}

TEST_F(Hdf5, AmuseInSiUnitsIsRescaled) {
  constexpr double pc = 3.0856775814913673e16, au = 149597870700.0;
  out().group("/particles");
  put_amuse(out(), "/particles/0000000001", "system.get('S.I.').base('length')", 6 * pc);
  put_amuse(out(), "/particles/0000000002", "system.get('S.I.').base('length')", 7 * pc);
  const auto scene = read_made();
  EXPECT_FLOAT_EQ(scene.bodies.position[0].x, 6.0F);
  EXPECT_FLOAT_EQ(scene.bodies.velocity[0].y, 1.0F);
  EXPECT_FLOAT_EQ(scene.bodies.mass[1], 4e30F / 1.98841e30F);
  EXPECT_EQ(scene.bodies.id[0], 1ULL << 60U);
  EXPECT_NEAR(scene.physics.gravitational_constant, 4.30091e-3, 1e-7);
  EXPECT_TRUE(has_note(scene, "pc, km/s and solar masses"));
  EXPECT_TRUE(has_note(scene, "number 1 of 2"));
  EXPECT_TRUE(has_note(scene, "left out: radius"));
  // Version 2 has groups of the user's names.
  for (const auto* const group : {"/AMUSE_INF", "/data"}) out().group(group);
  put_amuse(out(), "/data/stars", "(1000.0 * system.get('S.I.').base('length'))", 1e-3 * au);
  const auto planets = read_made();
  EXPECT_FLOAT_EQ(planets.bodies.position[0].x, 1.0F);
  EXPECT_FLOAT_EQ(planets.bodies.velocity[0].x, 1e6F / 4740.4705F);  // AU a year in m/s
  EXPECT_NEAR(planets.physics.gravitational_constant, 39.4769, 1e-3);
}

TEST_F(Hdf5, AmuseStatesAreSnapshotsInTheUnitsOfTheFirst) {
  constexpr double pc = 3.0856775814913673e16;
  const std::string length = "system.get('S.I.').base('length')", time = "system.get('S.I.').base('time')";
  out().group("/particles");
  put_amuse(out(), "/particles/0000000001", length, 6 * pc);
  put_amuse(out(), "/particles/0000000002", length, 9000 * pc);  // alone it would be in kpc
  out().attribute("/particles/0000000002", "timestamp", 3.15576e13);
  out().attribute("/particles/0000000002", "timestamp_unit", time);
  put_amuse(out(), "/particles/0000000003", length, 8 * pc);
  const auto path = put("made.hdf5");
  const auto first = read_snapshot(path);
  EXPECT_EQ(first.snapshots, 3U);
  EXPECT_EQ(count_snapshots(path), 3U);
  const auto second = read_snapshot(path, {.snapshot = 1});
  EXPECT_FLOAT_EQ(second.bodies.position[0].x, 9000.0F);
  EXPECT_NEAR(second.time * second.units.time, 3.15576e13, 1e6);
  EXPECT_EQ(second.units, first.units);
  EXPECT_EQ(read_snapshot(path, {.snapshot = 2}).time, 2.0);
  EXPECT_THROW(read_snapshot(path, {.snapshot = 3}), Error);
}

TEST_F(Hdf5, AmuseSetsOfOtherNamesAreNoSnapshots) {
  for (const auto* const group : {"/AMUSE_INF", "/data"}) out().group(group);
  put_amuse(out(), "/data/gas", "system.get('generic').base('length')", 0.25);
  put_amuse(out(), "/data/stars", "system.get('generic').base('length')", 0.5);
  const auto path = put("sets.hdf5");
  const auto scene = read_snapshot(path);
  EXPECT_EQ(scene.snapshots, 1U);
  EXPECT_TRUE(has_note(scene, "2 sets of particles (/data/gas, /data/stars): /data/gas is shown"));
  for (const char* const name : {"stars", "/data/stars", "data/stars"})
    EXPECT_EQ(read_snapshot(path, {.group = name}).bodies.position[0].x, 0.5F) << name;
  EXPECT_NE(refusal(path, {.group = "dust"}).find("/data/gas, /data/stars with --set group=NAME"),
            std::string::npos);
}

TEST_F(Hdf5, AnEmptyFirstSetOfAmuseIsPassedOver) {
  out().group("/data");
  out().group("/data/gas");
  out().attribute("/data/gas", "number_of_particles", 0);
  out().group("/data/gas/attributes");
  put_amuse(out(), "/data/stars", "system.get('generic').base('length')", 0.5);
  const auto scene = read_made();
  EXPECT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.position[0].x, 0.5F);
}

TEST_F(Hdf5, OneOfAmusesStatesCanBeNamed) {
  const std::string length = "system.get('generic').base('length')";
  for (const std::string group : {"/gas", "/stars"}) {
    out().group(group);
    put_amuse(out(), group + "/0000000001", length, group == "/gas" ? 1.0 : 3.0);
    put_amuse(out(), group + "/0000000002", length, group == "/gas" ? 2.0 : 4.0);
  }
  const auto path = put("states.hdf5");
  EXPECT_EQ(count_snapshots(path, {.group = "stars"}), 2U);
  EXPECT_EQ(read_snapshot(path, {.snapshot = 1, .group = "stars"}).bodies.position[0].x, 4.0F);
  const auto one = read_snapshot(path, {.group = "/stars/0000000002"});
  EXPECT_EQ(one.bodies.position[0].x, 4.0F);
  EXPECT_EQ(one.snapshots, 1U);
}

TEST_F(Hdf5, AmuseInNBodyUnitsStays) {
  out().group("/particles");
  put_amuse(out(), "/particles/0000000001", "system.get('generic').base('length')", 0.25);
  const auto scene = read_made();
  EXPECT_EQ(scene.bodies.position[0].x, 0.25F);
  EXPECT_EQ(scene.physics.gravitational_constant, 1.0);
  EXPECT_TRUE(has_note(scene, "N-body units"));
}

TEST(AmuseUnits, AreReadAndNothingElseIs) {
  const auto speed =
      parse_amuse_unit("(1000.0 * (system.get('S.I.').base('length') / system.get('S.I.').base('time')))");
  ASSERT_TRUE(speed);
  EXPECT_EQ(speed->factor, 1000.0);
  EXPECT_EQ(speed->powers, (std::array{1, 0, -1}));
  EXPECT_EQ(speed->system, "S.I.");
  EXPECT_TRUE(parse_amuse_unit("none"));
  for (const std::string text : {"__import__('os').system('id')", "system.get('S.I.').base('luminosity')",
                                 "(1.0 * ", "1.0 *", "2 2", "1e999", "system.get('S.I.').base('time')**2.05",
                                 "system.get('S.I.", "(system.get('S.I.').base('length')**0.5)", "0",
                                 "(system.get('S.I.').base('length') * system.get('generic').base('time'))"})
    EXPECT_FALSE(parse_amuse_unit(text)) << text;
  EXPECT_FALSE(parse_amuse_unit(std::string(100'000, '(')));
}

TEST_F(Hdf5, RealAmuseFile) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto scene = read_snapshot(real_data() / "hdf5" / "default_amuse_plummer.hdf5");
  EXPECT_EQ(scene.bodies.size(), 1000U);
  EXPECT_TRUE(scene.states_gravity);
  EXPECT_EQ(scene.source, "HDF5, AMUSE, SI units");
  EXPECT_TRUE(has_note(scene, "left out: radius"));
  EXPECT_FALSE(has_note(scene, "K/|W|"));  // in balance, with the G of its units
}

}  // namespace
}  // namespace orrery::sim
