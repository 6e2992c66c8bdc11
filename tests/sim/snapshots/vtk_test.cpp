#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "sim/core/error.h"
#include "tests/sim/snapshots/vtk_testing.h"

namespace orrery::sim {
namespace {

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

void expect_same(const Bodies& a, const Bodies& b) {
  EXPECT_EQ(a.position, b.position);
  EXPECT_EQ(a.velocity, b.velocity);
  EXPECT_EQ(a.mass, b.mass);
  EXPECT_EQ(a.id, b.id);
}

TEST_F(Vtk, ReferenceFilesHoldTheTruth) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto truth = read_snapshot(real_data() / "reference/truth.csv");
  std::size_t read = 0;
  for (const auto& path : real_snapshots()) {
    const auto extension = path.extension();
    if (extension != ".vtp" && extension != ".vtu") continue;
    SCOPED_TRACE(path);
    const auto scene = read_snapshot(path);
    expect_same(scene.bodies, truth.bodies);
    ++read;
  }
  EXPECT_GE(read, 7U);
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

/// And we read what it writes, in every way that it knows.
TEST_F(Vtk, WhatVtkItselfWritesIsRead) {
  if (std::system("/usr/bin/python3 -c 'import vtk' >/dev/null 2>&1") != 0)  // NOLINT(concurrency-mt-unsafe)
    GTEST_SKIP() << "VTK's Python module is not here (Debian: python3-vtk9)";
  const auto scene = full_scene();
  write_snapshot(scene, folder() / "a.vtp");
  std::ofstream(folder() / "write.py") <<
      R"(import sys, vtk
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1] + "/a.vtp")
reader.Update()
number = 0
for mode in (0, 1, 2):
    for packed in (False, True):
        for order in (0, 1):
            for header in (32, 64):
                for base64 in (False, True):
                    writer = vtk.vtkXMLPolyDataWriter()
                    writer.SetInputData(reader.GetOutput())
                    writer.SetDataMode(mode)
                    writer.SetCompressorTypeToZLib() if packed else writer.SetCompressorTypeToNone()
                    writer.SetByteOrder(order)
                    writer.SetHeaderType(header)
                    writer.SetEncodeAppendedData(base64)
                    writer.SetFileName(f"{sys.argv[1]}/w{number:02}.vtp")
                    assert writer.Write()
                    number += 1
assert number == 48
)";
  const auto command =
      fmt::format("/usr/bin/python3 {} {}", (folder() / "write.py").string(), folder().string());
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const auto name = entry.path().filename().string();
    if (name[0] != 'w') continue;
    if (name == "write.py") continue;
    SCOPED_TRACE(name);
    const auto back = read_snapshot(entry.path());
    expect_same(back.bodies, scene.bodies);
    EXPECT_EQ(back.bodies.galaxy, scene.bodies.galaxy);
    EXPECT_EQ(back.physics.gravitational_constant, scene.physics.gravitational_constant);
    EXPECT_EQ(back.physics.law, &electric_law);
    ++read;
  }
  EXPECT_EQ(read, 48U);
}

const std::vector<Color> red_and_blue{0xff0000, 0x0000ff};

TEST_F(Vtk, ColoursOfArraysByName) {
  const auto file = [](std::string_view array) {
    return fmt::format(
        "<VTKFile type=\"PolyData\"><PolyData><Piece "
        "NumberOfPoints=\"2\"><PointData>{}</DataArray></PointData>"
        "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 1 "
        "1</DataArray>"
        "</Points></Piece></PolyData></VTKFile>",
        array);
  };
  for (const auto* const data :
       {R"(<DataArray type="UInt8" Name="RGB" NumberOfComponents="3" format="ascii">255 0 0 0 0 255)",
        R"(<DataArray type="UInt8" Name="Colors" NumberOfComponents="4" format="ascii">255 0 0 9 0 0 255 9)",
        R"(<DataArray type="Float32" Name="rgb" NumberOfComponents="3" format="ascii">255 0 0 0 0 255)"}) {
    const auto scene = read_as(file(data));
    EXPECT_EQ(scene.bodies.color, red_and_blue) << data;
    EXPECT_TRUE(has_note(scene, "taken as the colours")) << data;
  }
  const auto scalar = read_as(file(R"(<DataArray type="Float32" Name="color" format="ascii">0.5 0.25)"));
  EXPECT_FALSE(scalar.bodies.has_colors());
  EXPECT_TRUE(has_note(scalar, "left out: color"));
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
