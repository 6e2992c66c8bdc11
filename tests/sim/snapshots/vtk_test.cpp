#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Vtk = SnapshotTest;

Scene full_scene() {
  Scene scene = varied_scene(300, 9);
  for (std::size_t i = 0; i < 300; ++i) {
    scene.bodies.charge[i] = i % 3 == 0 ? -1.0F : 0.5F;
    scene.bodies.galaxy[i] = i < 100 ? 0 : 1;
  }
  scene.physics.gravitational_constant = 43007.1;
  scene.physics.softening = 0.123;
  scene.physics.time_step = 1e-5;
  scene.physics.law = &electric_law;
  scene.physics.integrator = find_integrator("forest-ruth");
  scene.physics.dimensions = 3;
  scene.speed = 0.7;
  scene.title = "a \"title\" & <more>";
  scene.units = {1e3 * meters_of_parsec, 3e16, 2e39};
  return scene;
}

TEST_F(Vtk, FilesKeepEverything) {
  const auto scene = full_scene();
  write_snapshot(scene, folder() / "a.vtp");
  const auto back = read_snapshot(folder() / "a.vtp");
  expect_same_bodies(back.bodies, scene.bodies);
  EXPECT_EQ(back.physics, scene.physics);
  EXPECT_EQ(back.time, scene.time);
  EXPECT_EQ(back.speed, scene.speed);
  EXPECT_EQ(back.title, scene.title);
  EXPECT_EQ(back.units, scene.units);
  EXPECT_TRUE(back.states_physics);
}

/// One of the reference files is in the form of ours.
TEST_F(Vtk, FilesOfOthersAreReadRightOrRefusedByName) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto truth = read_snapshot(real_data() / "reference/truth.csv").bodies;
  std::size_t refused = 0;
  for (const auto& entry : std::filesystem::directory_iterator(real_data() / "reference")) {
    const auto& path = entry.path();
    if (path.filename() == "ref_appended_u64.vtp") {
      const auto bodies = read_snapshot(path).bodies;
      EXPECT_TRUE(bodies.position == truth.position && bodies.velocity == truth.velocity);
      EXPECT_TRUE(bodies.mass == truth.mass && bodies.id == truth.id);
    } else if (path.extension() == ".vtp" || path.extension() == ".vtu") {
      EXPECT_NE(refusal(path).find("of VTK's files only those are read that Orrery wrote"), std::string::npos)
          << path;
      ++refused;
    }
  }
  EXPECT_GE(refused, 6U);
}

TEST_F(Vtk, BodiesWithoutVelocitiesStayWithout) {
  auto scene = varied_scene(4, 2);
  scene.has_velocities = false;
  for (auto& v : scene.bodies.velocity) v = {};
  write_snapshot(scene, folder() / "a.vtp");
  EXPECT_FALSE(read_snapshot(folder() / "a.vtp").has_velocities);
}

TEST_F(Vtk, AccelerationsAndForcesAreWrittenWithTheirSource) {
  const auto scene = full_scene();
  std::vector<Vec3> a(300, Vec3{1, 2, 3});
  write_snapshot(scene, folder() / "a.vtp", {}, {.acceleration = a, .acceleration_source = "the test"});
  const auto content = content_of(folder() / "a.vtp");
  EXPECT_NE(content.find("Name=\"force\""), std::string::npos);
  EXPECT_NE(content.find("Name=\"acceleration-source\""), std::string::npos);
  const auto back = read_snapshot(folder() / "a.vtp");
  expect_same_bodies(back.bodies, scene.bodies);
  EXPECT_FALSE(has_note(back, "left out"));
}

/// VTK's own reader, where it is installed (Debian: python3-vtk9).
TEST_F(Vtk, VtkItselfReadsWhatIsWritten) {
  if (std::system("/usr/bin/python3 -c 'import vtk' >/dev/null 2>&1") != 0)  // NOLINT(concurrency-mt-unsafe)
    GTEST_SKIP() << "VTK's Python module is not here (Debian: python3-vtk9)";
  const auto scene = full_scene();
  std::vector<Vec3> a;
  for (std::size_t i = 0; i < 300; ++i) a.push_back({static_cast<float>(i), 0.0F, -1.0F});
  const WriteOptions options{.acceleration = a, .acceleration_source = "the test"};
  write_snapshot(scene, folder() / "a.vtp", {}, options);
  // Its answer as a table that the program reads.
  std::ofstream(folder() / "judge.py") <<
      R"(import sys, vtk
name, out = sys.argv[1:]
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(name)
errors = []
reader.AddObserver("ErrorEvent", lambda *a: errors.append(a))
reader.Update()
data = reader.GetOutput()
points, values = data.GetPoints(), data.GetPointData()
assert not errors and data.GetNumberOfCells() == data.GetNumberOfPoints() == 300
cell = data.GetCell(299)
assert cell.GetNumberOfPoints() == 1 and cell.GetPointId(0) == 299
time = data.GetFieldData().GetArray("TimeValue")
assert time.GetValue(0) == 1.5
assert data.GetFieldData().GetAbstractArray("force-law").GetValue(0) == "electric"
assert data.GetFieldData().GetAbstractArray("title").GetValue(0) == 'a "title" & <more>'
array = {n: values.GetArray(n) for n in "velocity mass charge id component galaxy acceleration force".split()}
with open(out, "w") as table:
    table.write("id,mass,x,y,z,vx,vy,vz,component,galaxy,charge\n")
    for i in range(300):
        a, f, m = array["acceleration"].GetTuple(i), array["force"].GetTuple(i), array["mass"].GetValue(i)
        assert a == (i, 0, -1) and abs(f[0] - m * i) <= 1e-6 * abs(m * i) and f[2] == -m
        row = [array["id"].GetValue(i), m, *points.GetPoint(i), *array["velocity"].GetTuple(i)]
        kind = "gas halo disk bulge star other".split()[array["component"].GetValue(i)]
        row += [kind, array["galaxy"].GetValue(i), array["charge"].GetValue(i)]
        table.write(",".join(map(str, row)) + "\n")
)";
  const auto table = folder() / "judged.csv";
  const auto command = fmt::format("/usr/bin/python3 {} {} {}", (folder() / "judge.py").string(),
                                   (folder() / "a.vtp").string(), table.string());
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  expect_same_bodies(read_snapshot(table).bodies, scene.bodies);
}

/// A file of two bodies as Orrery writes it.
std::string small_file(const std::filesystem::path& path) {
  write_snapshot(varied_scene(2, 1), path);
  return content_of(path);
}

std::string with(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST_F(Vtk, OtherFormsAreRefusedByName) {
  const auto own = small_file(folder() / "own.vtp");
  for (const auto& [from, to, word] : std::vector<std::array<std::string, 3>>{
           {"LittleEndian", "BigEndian", "big-endian"},
           {"UInt64\">\n<Poly", "UInt32\">\n<Poly", "32 bits"},
           {"encoding=\"raw\"", "encoding=\"base64\"", "base64"},
           {"format=\"appended\"", "format=\"binary\"", "'binary'"},
           {"version=\"1.0\" byte", "compressor=\"vtkZLibDataCompressor\" byte", "packed with vtkZLib"},
           {"<VTKFile type=\"PolyData", "<VTKFile type=\"ImageData", "ImageData"}}) {
    const auto message = refusal(save("other.vtp", with(own, from, to)));
    EXPECT_NE(message.find(word), std::string::npos) << message;
    EXPECT_NE(message.find("meshio"), std::string::npos) << message;
  }
  EXPECT_NE(text_refusal("<VTKFile type=\"Collection\"><Collection><DataSet timestep=\"0\" file=\"a/b.vtp\"/>"
                         "</Collection></VTKFile>")
                .find("'a/b.vtp'"),
            std::string::npos);
  EXPECT_NE(
      text_refusal("<!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile type=\"PolyData\"/>").find("document type"),
      std::string::npos);
  EXPECT_NE(text_refusal("<a><VTKFile/></a>").find("none of VTK"), std::string::npos);
  EXPECT_NE(
      text_refusal("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n")
          .find(
              "a VTK file of the older kind (legacy), which is not read; save its points as CSV in ParaView"),
      std::string::npos);
}

TEST_F(Vtk, WhatIsCutOffIsRefused) {
  const auto own = small_file(folder() / "own.vtp");
  for (std::size_t size = 1; size + 1 < own.size(); size += 7)
    EXPECT_TRUE(is_one_short_line(refusal(save("cut", std::string_view(own).substr(0, size)))));
}

TEST_F(Vtk, RandomDamageNeverCrashes) {
  std::mt19937_64 random(11);
  const auto own = small_file(folder() / "own.vtp");
  for (int trial = 0; trial < 2000; ++trial) {
    auto damaged = own;
    for (auto k = 1 + random() % 4; k > 0; --k)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const auto path = save("damaged", damaged);
    try {
      EXPECT_FALSE(read_snapshot(path).bodies.empty());
    } catch (const Error& error) {
      EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
    }
  }
}

/// Refused before they cost memory.
TEST_F(Vtk, HostileCountsAreRefused) {
  const auto own = small_file(folder() / "own.vtp");
  const auto of = [&](std::string_view from, std::string_view to) {
    return refusal(save("hostile.vtp", with(own, from, to)));
  };
  const std::string points = "NumberOfPoints=\"2\"";
  EXPECT_NE(of(points, "NumberOfPoints=\"18446744073709551615\"").find("cannot have"), std::string::npos);
  EXPECT_NE(of(points, "NumberOfPoints=\"3\"").find("another size"), std::string::npos);
  EXPECT_NE(of(points, "NumberOfPoints=\"-1\"").find("no count"), std::string::npos);
  EXPECT_NE(of(points, "NumberOfPoints=\"0\"").find("no bodies"), std::string::npos);
  EXPECT_NE(of("offset=\"0\"", "offset=\"18446744073709551615\"").find("cut off"), std::string::npos);
  EXPECT_NE(of("NumberOfComponents=\"3\"", "NumberOfComponents=\"99999999999\"").find("cannot have"),
            std::string::npos);
}

TEST_F(Vtk, TheLineThatIsNoXmlIsNamed) {
  const std::string head =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n";
  EXPECT_NE(refusal(save("cut", head + "<Piece NumberOfPoints=\"1\"></Wrong>\n")).find("line 4 is no XML"),
            std::string::npos);
}

TEST_F(Vtk, ColoursComeBack) {
  auto scene = varied_scene(9, 1);
  scene.bodies.color.assign(9, 0x123456);
  scene.bodies.color[3] = 0;
  for (const auto* const name : {"a.vtp", "a.bin", "a.csv"}) {
    write_snapshot(scene, folder() / name);
    expect_same_bodies(read_snapshot(folder() / name).bodies, scene.bodies);
  }
  // Where some have none, they have none again, or are white.
  scene.bodies.color[4] = no_color;
  for (const auto* const name : {"a.bin", "a.csv"}) {
    write_snapshot(scene, folder() / name);
    expect_same_bodies(read_snapshot(folder() / name).bodies, scene.bodies);
  }
  EXPECT_TRUE(format_to_write("a.vtp", {}).keeps.colors);
  EXPECT_FALSE(format_to_write("a.tipsy", {}).keeps.colors);
  write_snapshot(scene, folder() / "a.vtp");
  EXPECT_EQ(read_snapshot(folder() / "a.vtp").bodies.color[4], 0xffffffU);
}

}  // namespace
}  // namespace orrery::sim
