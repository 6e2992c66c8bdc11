#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <tuple>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "sim/snapshots/reader_process.h"
#include "tests/sim/snapshots/hdf5_testing.h"

namespace orrery::sim {
namespace {

TEST_F(Hdf5, AllTypesMassTableAndMissingMasses) {
  out().group("/Header");
  out().attribute("/Header", "MassTable", Doubles{0, 0.5, 0, 0, 0, 0});
  out().attribute("/Header", "Time", 2.5);
  for (int k = 0; k < 6; ++k) type(k, 2, 10.0F * static_cast<float>(k));
  for (const int k : {0, 2, 3, 4}) masses(k, {1, 2});
  out().dataset("/PartType0/Density", 1, Floats{1, 2});
  out().dataset("/PartType0/InternalEnergy", 1, Floats{1, 2});
  const auto scene = read_made();
  const auto& bodies = scene.bodies;
  ASSERT_EQ(bodies.size(), 12U);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(bodies.component[2 * k], static_cast<Component>(k));
  EXPECT_EQ(bodies.mass, (Floats{1, 2, 0.5F, 0.5F, 1, 2, 1, 2, 1, 2, 0, 0}));
  EXPECT_EQ(bodies.position[5], (Vec3{21, 0, 0}));
  EXPECT_EQ(bodies.velocity[11], (Vec3{0, 51, 0}));
  EXPECT_EQ(scene.time, 2.5);
  EXPECT_FALSE(scene.states_gravity);
  EXPECT_EQ(scene.source, "HDF5, Gadget layout, single precision");
  EXPECT_TRUE(has_note(scene, "left out: Density, InternalEnergy"));
  EXPECT_TRUE(has_note(scene, "some types of bodies have no masses"));
}

TEST_F(Hdf5, IdsOfAnyWidth) {
  out().group("/Header");
  type(1, 2);
  type(2, 2);
  masses(1, {1, 1});
  masses(2, {1, 1});
  out().dataset("/PartType1/ParticleIDs", 1, std::vector<std::uint32_t>{7, 0xffffffffU});
  out().dataset("/PartType2/ParticleIDs", 1, Ids{1ULL << 40U, ~0ULL});
  EXPECT_EQ(read_made().bodies.id, (Ids{7, 0xffffffffU, 1ULL << 40U, ~0ULL}));
}

TEST_F(Hdf5, UnitsGiveGravity) {
  out().group("/Header");
  out().attribute("/Header", "UnitLength_in_cm", 3.085678e21);
  out().attribute("/Header", "UnitMass_in_g", 1.989e43);
  out().attribute("/Header", "UnitVelocity_in_cm_per_s", 1e5);
  type(4, 3);
  masses(4, {1, 1, 1});
  const auto scene = read_made();
  EXPECT_TRUE(scene.states_gravity);
  EXPECT_NEAR(scene.physics.gravitational_constant, 43007.1, 0.1);
  EXPECT_TRUE(has_note(scene, "units of the file: kpc, 10^10 solar masses, km/s"));
  EXPECT_TRUE(has_note(scene, "G = 43007.1 in the file's units"));
  // The step follows: with G = 1 it would be 0.1 or so.
  EXPECT_LT(scene.physics.time_step, 1e-2);
}

TEST_F(Hdf5, SwiftHasItsOwnUnitsAndVelocities) {
  out().group("/Header");
  out().attribute("/Header", "Code", std::string("SWIFT"));
  out().attribute("/Header", "BoxSize", Doubles{8, 8, 8});
  out().attribute("/Header", "Scale-factor", Doubles{0.25});
  out().attribute("/Header", "NumPart_ThisFile", std::vector<std::uint32_t>{0, 3, 0, 0, 0, 0, 0});
  out().group("/Cosmology");
  out().attribute("/Cosmology", "Cosmological run", 1);
  out().group("/Units");
  out().attribute("/Units", "Unit length in cgs (U_L)", Doubles{3.0856776e24});
  out().attribute("/Units", "Unit mass in cgs (U_M)", Doubles{1.98841e43});
  out().attribute("/Units", "Unit time in cgs (U_t)", Doubles{3.0856776e19});
  out().group("/PartType1");
  out().dataset("/PartType1/Coordinates", 3, Doubles{1, 2, 3, 7, 7, 7, 4, 4, 4});
  out().dataset("/PartType1/Velocities", 3, Floats{1, 2, 3, 4, 5, 6, 7, 8, 9});
  out().dataset("/PartType1/Masses", 1, Floats{1, 1, 1});
  const auto scene = read_made();
  EXPECT_EQ(scene.bodies.position[0], (Vec3{-0.75F, -0.5F, -0.25F}));
  EXPECT_EQ(scene.bodies.velocity[1], (Vec3{4, 5, 6}));
  EXPECT_NEAR(scene.physics.gravitational_constant, 43.0, 0.1);
  EXPECT_EQ(scene.source, "HDF5, SWIFT, double precision");
  EXPECT_TRUE(has_note(scene, "units of the file: Mpc, 10^10 solar masses, km/s"));
  EXPECT_TRUE(has_note(scene, "the origin is now its middle"));
  EXPECT_TRUE(has_note(scene, "scale factor 0.25"));
}

TEST_F(Hdf5, GadgetsComovingNumbersBecomePhysical) {
  out().group("/Header");
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"Time", 0.25}, {"Redshift", 3.0}, {"Omega0", 0.3}, {"BoxSize", 100.0}, {"HubbleParam", 0.7}})
    out().attribute("/Header", name, value);
  out().group("/PartType2");
  out().dataset("/PartType2/Coordinates", 3, Doubles{8, 0, 0, -8, 0, 0});
  out().dataset("/PartType2/Velocities", 3, Floats{0, 6, 0, 0, 0, 0});
  masses(2, {1, 1});
  out().attribute("/PartType2/Velocities", "a_scaling", 0.5);
  const auto scene = read_made();
  EXPECT_EQ(scene.bodies.position[0].x, 2.0F);  // not moved: one body is outside of 0 to 100
  EXPECT_EQ(scene.bodies.velocity[0].y, 3.0F);
  EXPECT_EQ(scene.bodies.component[0], Component::halo);
  EXPECT_EQ(scene.time, 0.0);
}

TEST_F(Hdf5, CoordinatesLoseNoDigitsToTheBox) {
  out().group("/Header");
  out().attribute("/Header", "BoxSize", 2e6);
  out().group("/PartType4");
  out().dataset("/PartType4/Coordinates", 3, Doubles{1e6 + 0.001, 1e6, 1e6, 1e6 - 0.001, 1e6, 1e6});
  masses(4, {1, 1});
  EXPECT_FLOAT_EQ(read_made().bodies.position[0].x, 0.001F);
}

TEST_F(Hdf5, SeveralFilesAreOneSnapshot) {
  for (int k = 0; k < 11; ++k) {
    out().group("/Header");
    out().attribute("/Header", "NumFilesPerSnapshot", 11);
    // The first file has no stars.
    type(k == 0 ? 1 : 4, 2, 10.0F * static_cast<float>(k));
    masses(k == 0 ? 1 : 4, {1, 1});
    put("snap_9." + std::to_string(k) + ".hdf5");
  }
  const auto scene = read_snapshot(folder() / "snap_9.7.hdf5");
  ASSERT_EQ(scene.bodies.size(), 22U);
  EXPECT_EQ(scene.bodies.position[21].x, 101.0F);
  EXPECT_EQ(scene.bodies.component[0], Component::halo);
  EXPECT_EQ(scene.bodies.component[2], Component::star);
  std::filesystem::copy(folder() / "snap_9.4.hdf5", folder() / "alone.hdf5");
  EXPECT_TRUE(has_note(read_snapshot(folder() / "alone.hdf5"), "one of 11 files"));
  std::filesystem::remove(folder() / "snap_9.5.hdf5");
  EXPECT_NE(refusal(folder() / "snap_9.0.hdf5").find("snap_9.5.hdf5' is missing"), std::string::npos);
}

TEST_F(Hdf5, WithoutCoordinatesItSaysWhatThereIs) {
  out().group("/Header");
  out().group("/PartType0");
  out().dataset("/PartType0/Density", 1, Floats{1, 2, 3});
  const auto message = refusal(put("no.hdf5"));
  EXPECT_NE(message.find("no bodies with coordinates"), std::string::npos) << message;
  EXPECT_NE(message.find("Header, PartType0"), std::string::npos) << message;
  out().group("/PartType0");
  out().dataset("/PartType0/Coordinates", 1, Floats{1, 2, 3});
  EXPECT_NE(refusal(put("flat.hdf5")).find("three numbers a row"), std::string::npos);
  type(1, 3);
  masses(1, {1, 1});
  EXPECT_NE(refusal(put("few.hdf5")).find("does not fit"), std::string::npos);
}

TEST_F(Hdf5, FlatArraysAreFoundByTheirNames) {
  for (const auto* const group : {"", "/stars"}) {
    if (*group != '\0') out().group(group);
    const auto put_array = [&](const char* name, std::size_t columns, const auto& values) {
      out().dataset(std::string(group) + "/" + name, columns, values);
    };
    put_array("pos_x", 1, Floats{1, -1});
    put_array("pos_y", 1, Floats{2, -2});
    put_array("pos_z", 1, Floats{3, -3});
    put_array("vel", 3, Doubles{4, 5, 6, -4, -5, -6});
    put_array("ID", 1, Ids{9007199254740993U, 4});
    put_array("weight", 1, Floats{1, 1});
    const auto scene = read_made();
    ASSERT_EQ(scene.bodies.size(), 2U);
    EXPECT_EQ(scene.bodies.position[1], (Vec3{-1, -2, -3}));
    EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 6}));
    EXPECT_EQ(scene.bodies.id, (Ids{9007199254740993U, 4}));
    EXPECT_EQ(scene.bodies.mass, (Floats{0.5F, 0.5F}));
    EXPECT_TRUE(has_note(scene, "left out: weight"));
    EXPECT_EQ(
        std::ranges::count_if(scene.notes, [](const auto& n) { return n.starts_with("the file has no"); }),
        1);
  }
}

TEST_F(Hdf5, OfSeveralGroupsWithPlacesItIsSaidWhichIsRead) {
  for (const std::string group : {"/galaxy1", "/galaxy2"}) {
    out().group(group);
    out().dataset(group + "/pos", 3, Floats{1, 2, 3, 4, 5, 6});
  }
  out().group("/other");
  out().dataset("/other/pos", 3, Floats{7, 2, 3});
  const auto path = put("groups.hdf5");
  const auto scene = read_snapshot(path);
  EXPECT_EQ(scene.bodies.size(), 2U);
  EXPECT_TRUE(
      has_note(scene, "3 groups of the file have places (/galaxy1, /galaxy2, /other): /galaxy1 is read"));
  for (const char* const name : {"other", "/other", "/other/"})
    EXPECT_EQ(read_snapshot(path, {.group = name}).bodies.size(), 1U) << name;
  EXPECT_NE(refusal(path, {.group = "galaxy"})
                .find("choose one of /galaxy1, /galaxy2, /other with --set group=NAME"),
            std::string::npos);
}

TEST_F(Hdf5, ParticlesAndSinksOfPhantomHaveTheMassesOfTheirTypes) {
  out().group("/header");
  out().dataset("/header/massoftype", 1, Doubles{0.25, 0.5});
  out().dataset("/header/time", 1, Doubles{7});
  out().group("/particles");
  out().dataset("/particles/itype", 1, Doubles{1, 2, -1});
  out().dataset("/particles/xyz", 3, Doubles{1, 2, 3, 4, 5, 6, 7, 8, 9});
  out().dataset("/particles/vxyz", 3, Doubles{1, 0, 0, 2, 0, 0, 3, 0, 0});
  out().group("/sinks");
  out().dataset("/sinks/m", 1, Doubles{10});
  out().dataset("/sinks/xyz", 3, Doubles{0, 0, 0});
  out().dataset("/sinks/vxyz", 3, Doubles{0, 0, 4});
  const auto scene = read_made();
  EXPECT_EQ(scene.bodies.mass, (Floats{0.25F, 0.5F, 0.25F, 10.0F}));
  EXPECT_EQ(scene.bodies.velocity[3], (Vec3{0, 0, 4}));
  EXPECT_EQ(scene.time, 7.0);
  EXPECT_TRUE(has_note(scene, "with 1 body of the group /sinks"));
  EXPECT_FALSE(has_note(scene, "groups of the file"));
}

/// As EAGLE states them, with h at a = 1.
TEST_F(Hdf5, DatasetsStateTheirUnits) {
  out().group("/Header");
  type(4, 2);
  masses(4, {1, 1});
  out().attribute("/Header", "HubbleParam", 0.5);
  for (const auto& [name, cgs, h] :
       {std::tuple("Coordinates", 3.085678e24, -1.0), std::tuple("Masses", 1.989e43, -1.0),
        std::tuple("Velocities", 1e5, 0.0)}) {
    const auto path = std::string("/PartType4/") + name;
    out().attribute(path, "CGSConversionFactor", cgs);
    out().attribute(path, "h-scale-exponent", h);
  }
  const auto scene = read_made();
  EXPECT_TRUE(has_note(scene, "units of the file: Mpc/h"));
  EXPECT_NEAR(scene.units.length, 2.0 * 3.085678e22, 1e18);
}

TEST_F(Hdf5, ArraysStateTheirUnits) {
  out().dataset("/Coordinates", 3, Floats{1, 2, 3, 4, 5, 6});
  out().attribute("/Coordinates", "units", std::string("kpc"));
  out().dataset("/mass", 1, Floats{1e9F, 2e9F});
  out().attribute("/mass", "units", std::string("Msun"));
  const auto scene = read_made();
  EXPECT_NEAR(scene.physics.gravitational_constant, 4.30091e-6, 1e-10);
  EXPECT_TRUE(has_note(scene, "units of the file: kpc, solar masses"));
}

/// 1e8 has neighbours 8 apart in single precision: what lies between is there only if it is recentred first.
TEST_F(Hdf5, FlatArraysFarFromZeroAndOfOtherLengths) {
  Doubles x, y;
  for (int k = 0; k < 20; ++k) {
    x.push_back(1e6 + 0.001 * k);
    y.push_back(0.0001 * k * k);
  }
  out().dataset("/x", 1, x);
  out().dataset("/y", 1, y);
  const auto scene = read_made();
  EXPECT_NEAR(absolute_place(scene.bodies, 1).x, 1e6 + 0.001, 1e-6);
  EXPECT_TRUE(has_note(scene, "two-dimensional"));
  out().dataset("/x", 1, x);
  out().dataset("/y", 1, Doubles{1, 2});
  EXPECT_NE(refusal(put("other.h5")).find("different shapes"), std::string::npos);
}

TEST_F(Hdf5, DoublesFarFromZeroKeepTheirDigits) {
  Doubles places;
  for (int k = 0; k < 20; ++k) places.insert(places.end(), {1e8 + 0.125 * k, -2.0, 0.5 * k});
  out().group("/Header");
  out().group("/PartType1");
  out().dataset("/PartType1/Coordinates", 3, places);
  const auto scene = read_made();
  EXPECT_NEAR(scene.bodies.origin.x, 1e8, 8.0);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(absolute_place(scene.bodies, k).x, 1e8 + 0.125 * static_cast<double>(k));
}

TEST_F(Hdf5, FloatsFarFromZeroComeBackBitForBit) {
  out().group("/Header");
  type(1, 20, 1e6F);
  auto bodies = read_made().bodies;
  EXPECT_NE(bodies.origin, DVec3{});
  set_origin(bodies, {});
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(bodies.position[k].x, 1e6F + static_cast<float>(k));
}

TEST_F(Hdf5, AnEdgeOfTheBoxThatCutsAHaloIsSaidAndMoved) {
  constexpr std::size_t count = 64;
  Floats places;
  for (std::size_t k = 0; k < count; ++k) {
    // On a circle of radius 1 about (0, 5, 0) of a box of side 10.
    const double angle = 0.1 * static_cast<double>(k);
    const double x = std::cos(angle), z = std::sin(angle);
    places.insert(places.end(),
                  {static_cast<float>(x < 0 ? x + 10 : x), 5.0F, static_cast<float>(z < 0 ? z + 10 : z)});
  }
  out().group("/Header");
  out().attribute("/Header", "BoxSize", 10.0);
  out().group("/PartType1");
  out().dataset("/PartType1/Coordinates", 3, places);
  const auto path = put("edge.hdf5");
  const auto cut = read_snapshot(path);
  EXPECT_EQ(cut.box, (DVec3{10, 10, 10}));
  EXPECT_TRUE(has_note(cut, "`--set recentre=on`"));
  const auto whole = read_snapshot(path, {.recentre = true});
  EXPECT_TRUE(has_note(whole, "recentred"));
  for (const auto& x : whole.bodies.position) EXPECT_LT(std::hypot(x.x, x.z), 2.1);
}

TEST_F(Hdf5, TypesOfGadgetAreNoGroupsToChoose) {
  type(1, 3);
  EXPECT_NE(refusal(put("types.hdf5"), {.group = "PartType1"}).find("only and without"), std::string::npos);
}

// ---- Writing ----

Scene writable_scene(std::size_t count, std::uint64_t seed) {
  auto scene = varied_scene(count, seed);
  scene.time = 3.25;
  scene.physics.gravitational_constant = 43007.1234567;
  return scene;
}

TEST_F(Hdf5, WhatIsWrittenComesBack) {
  const auto scene = writable_scene(300, 8);
  const auto path = folder() / "a.hdf5";
  write_snapshot(scene, path);
  const auto back = read_snapshot(path);
  expect_same_bodies(sorted_by_id(back.bodies), sorted_by_id(scene.bodies));
  EXPECT_EQ(back.time, 3.25);
  EXPECT_EQ(back.physics.gravitational_constant, 43007.1234567);
  const auto first = content_of(path);
  write_snapshot(scene, path);
  EXPECT_EQ(content_of(path), first);
}

TEST_F(Hdf5, PositionsOnlyAndLongIdsComeBack) {
  auto scene = writable_scene(20, 9);
  scene.has_velocities = false;
  std::ranges::fill(scene.bodies.velocity, Vec3{});
  scene.bodies.id[3] = 1ULL << 50U;
  write_snapshot(scene, folder() / "a.h5");
  const auto back = read_snapshot(folder() / "a.h5");
  EXPECT_FALSE(back.has_velocities);
  expect_same_bodies(sorted_by_id(back.bodies), sorted_by_id(scene.bodies));
}

TEST_F(Hdf5, WhatItCannotHoldIsRefused) {
  auto scene = writable_scene(4, 1);
  scene.bodies.charge[1] = 1.0F;
  EXPECT_THROW(write_snapshot(scene, folder() / "a.hdf5"), Error);
  scene = writable_scene(4, 1);
  scene.bodies.galaxy[3] = 1;
  EXPECT_THROW(write_snapshot(scene, folder() / "a.hdf5"), Error);
  EXPECT_EQ(files(), 0U);
}

int run_python(const std::filesystem::path& script) {
  return std::system((std::string("/usr/bin/python3 '") + script.string() + "'").c_str());
}

// Python's h5py, another reader and writer: the same numbers to the last float.
TEST_F(Hdf5, PythonReadsWhatIsWritten) {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-h5py is not installed";
  const auto scene = writable_scene(200, 5);
  const auto path = folder() / "ours.hdf5", theirs = folder() / "theirs.hdf5";
  write_snapshot(scene, path);
  // Every number is taken over into packed pieces, in the other byte order, with other widths.
  const auto script = save("take_over.py", R"(
import h5py, numpy, os
here = os.path.dirname(os.path.abspath(__file__))
with h5py.File(here + "/ours.hdf5", "r") as ours, h5py.File(here + "/theirs.hdf5", "w", libver="latest") as theirs:
    header = theirs.create_group("Header")
    given = ours["Header"].attrs
    assert given["NumPart_ThisFile"].sum() == 200 and given["Time"] == 3.25
    assert abs(given["UnitLength_in_cm"] / 3.0856776e21 - 1) < 1e-6
    header.attrs["Time"] = numpy.array([given["Time"]], ">f4")
    header.attrs["NumFilesPerSnapshot"] = numpy.int64(1)
    for name in ours:
        if not name.startswith("PartType"):
            continue
        group = theirs.create_group(name)
        for dataset, kind in ("Coordinates", ">f8"), ("Velocities", ">f4"), ("Masses", "<f8"), ("ParticleIDs", ">i2"):
            values = ours[name][dataset][()]
            assert values.dtype == ("<u4" if dataset == "ParticleIDs" else "<f4")
            group.create_dataset(dataset, data=values.astype(kind), chunks=True, compression="gzip", shuffle=True,
                                 fletcher32=True, maxshape=(None,) + values.shape[1:])
        group.create_dataset("Note", data=numpy.array([b"text"] * 3))
)");
  ASSERT_EQ(run_python(script), 0);
  const auto back = read_snapshot(theirs);
  expect_same_bodies(sorted_by_id(back.bodies), sorted_by_id(scene.bodies));
  EXPECT_EQ(back.time, 3.25);
  EXPECT_EQ(back.source, "HDF5, Gadget layout, double precision");
}

TEST_F(Hdf5, PythonFilesThatPointElsewhereAreRefused) {
  if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-h5py is not installed";
  type(1, 2);
  masses(1, {1, 1});
  put("other.hdf5");
  const auto script = save("make_links.py", R"py(
import h5py, os
os.chdir(os.path.dirname(os.path.abspath(__file__)))
with h5py.File("link.hdf5", "w") as file:
    file["PartType1"] = h5py.ExternalLink("other.hdf5", "/PartType1")
with h5py.File("virtual.hdf5", "w", libver="latest") as file:
    layout = h5py.VirtualLayout(shape=(2, 3), dtype="f4")
    layout[:] = h5py.VirtualSource("other.hdf5", "/PartType1/Coordinates", shape=(2, 3))
    file.create_virtual_dataset("PartType1/Coordinates", layout)
with h5py.File("inner.hdf5", "w") as file:
    file.create_dataset("PartType0/Coordinates", data=[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    file["PartType5"] = h5py.ExternalLink("other.hdf5", "/PartType1")
open("secret", "wb").write(b"S3cr3t!!" * 2)
with h5py.File("keys.hdf5", "w") as file:
    set = file.create_group("particles/0000000001")
    set.attrs["number_of_particles"] = 2
    for name in "x", "y", "z":
        set.create_dataset("attributes/" + name, data=[0.5, 1.0]).attrs["units"] = "system.get('generic').base('length')"
    set.create_dataset("keys", shape=(2,), dtype="u8", external=[("secret", 0, 16)])
with h5py.File("arrays.hdf5", "w") as file:
    file.create_dataset("x", data=[0.0, 1.0])
    file.create_dataset("y", data=[0.0, 1.0])
    file.create_dataset("z", shape=(2,), dtype="f8", external=[("secret", 0, 16)])
with h5py.File("huge.hdf5", "w") as file:
    file.create_dataset("PartType1/Coordinates", shape=(1 << 40, 3), dtype="f4", chunks=(1024, 3), compression="gzip")
)py");
  ASSERT_EQ(run_python(script), 0);
  EXPECT_NE(refusal(folder() / "link.hdf5").find("no bodies with coordinates"), std::string::npos);
  EXPECT_NE(refusal(folder() / "virtual.hdf5").find("kept in other files"), std::string::npos);
  EXPECT_NE(refusal(folder() / "keys.hdf5").find("kept in other files"), std::string::npos);
  EXPECT_NE(refusal(folder() / "arrays.hdf5").find("kept in other files"), std::string::npos);
  // What the other file has is not even named.
  const auto inner = read_snapshot(folder() / "inner.hdf5");
  EXPECT_EQ(inner.bodies.size(), 2U);
  EXPECT_FALSE(std::ranges::any_of(
      inner.notes, [](const auto& note) { return note.find("Masses") != std::string::npos; }));
  EXPECT_NE(refusal(folder() / "huge.hdf5").find("too few"), std::string::npos);
}

/// libhdf5 opens a file of the name that it is given for memory, and would wait for the writer of a pipe.
TEST_F(Hdf5, FilesOfTheCurrentFolderAreNotTouched) {
  type(1, 2);
  masses(1, {1, 1});
  const auto path = put("snapshot.hdf5");
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder());
  save("orrery-1.hdf5", "no HDF5");
  const auto beside_file = read_snapshot_apart(path, {});
  std::filesystem::remove("orrery-1.hdf5");
  ASSERT_EQ(::mkfifo("orrery-1.hdf5", 0600), 0);
  const auto beside_pipe = read_snapshot_apart(path, {});
  std::filesystem::current_path(before);
  EXPECT_EQ(beside_file.bodies.size(), 2U);
  EXPECT_EQ(beside_pipe.bodies.size(), 2U);
}

// ---- Real files ----

TEST_F(Hdf5, ReferenceFile) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto truth = read_snapshot(real_data() / "reference" / "truth.csv").bodies;
  const auto bodies = sorted_by_id(read_snapshot(real_data() / "reference" / "ref_gadget.hdf5").bodies);
  EXPECT_EQ(bodies.position, truth.position);
  EXPECT_EQ(bodies.velocity, truth.velocity);
  EXPECT_EQ(bodies.id, truth.id);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    EXPECT_EQ(bodies.mass[i], bodies.component[i] == Component::halo ? 0.5F : truth.mass[i]);
  EXPECT_EQ(bodies.component_counts()[static_cast<std::size_t>(Component::halo)], 5U);
}

// ---- Damage ----

class DamagedHdf5 : public Hdf5 {
 protected:
  void try_to_read(std::string_view content) {
    const auto path = save("damaged.hdf5", content);
    try {
      // libhdf5 crashes with some damaged files.
      const auto scene = read_snapshot_apart(path);
      EXPECT_FALSE(scene.bodies.empty());
    } catch (const Error& error) {
      EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
      ++refused_;
    }
  }
  std::string small_file() {
    write_snapshot(writable_scene(12, 4), folder() / "small.hdf5");
    return content_of(folder() / "small.hdf5");
  }
  std::vector<std::string> contents() {
    std::vector<std::string> found{small_file()};
    if (!real_data().empty()) {
      found.push_back(content_of(real_data() / "reference" / "ref_gadget.hdf5"));
      found.push_back(content_of(real_data() / "hdf5" / "default_amuse_plummer.hdf5"));
    }
    return found;
  }
  int refused_ = 0;
};

TEST_F(DamagedHdf5, PartsOfFilesAreRefused) {
  for (const auto& content : contents()) {
    int tried = 0;
    refused_ = 0;
    for (std::size_t size = 1; size < content.size(); size += content.size() / 31 + 1, ++tried)
      try_to_read(std::string_view(content).substr(0, size));
    EXPECT_EQ(refused_, tried);
  }
}

TEST_F(DamagedHdf5, RandomBytesDoNotCrash) {
  std::mt19937_64 random(20261122);
  for (const auto& content : contents()) {
    for (int trial = 0; trial < 50; ++trial) {
      auto damaged = content;
      // Where the tables are: most of a small file, the beginning of a large one.
      for (int k = 0; k < 3; ++k)
        damaged[random() % std::min<std::size_t>(damaged.size(), 9000)] = static_cast<char>(random());
      try_to_read(damaged);
    }
  }
}

}  // namespace
}  // namespace orrery::sim
