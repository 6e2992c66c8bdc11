#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "sim/core/error.h"
#include "tests/sim/snapshots/vtk_testing.h"

namespace orrery::sim {
namespace {

constexpr const char* legacy_text =
    "# vtk DataFile Version 3.0\nfive bodies\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "FIELD FieldData 1\nTIME 1 1 double\n0.75\n"
    "POINTS 2 double\n1 2 3\n4 5 6\nCELLS 2 4\n1 0 1 1\nCELL_TYPES 2\n1 1\n"
    "POINT_DATA 2\nSCALARS mass float 1\nLOOKUP_TABLE default\n0.5 0.25\n"
    "SCALARS heat float\n1 2\nVECTORS velocity float\n1 0 0 0 1 0\n"
    "FIELD FieldData 2\nid 1 2 long\n7 9007199254740993\ngalaxy 1 2 int\n3 2\n"
    "METADATA\nINFORMATION 0\n\nCELL_DATA 2\nSCALARS charge float 1\nLOOKUP_TABLE default\n1 1\n";

TEST_F(Vtk, LegacyText) {
  const auto scene = read_as(legacy_text);
  const auto& bodies = scene.bodies;
  ASSERT_EQ(bodies.size(), 2U);
  EXPECT_EQ(scene.time, 0.75);
  // In the order of the galaxies, which are numbered from 0.
  EXPECT_EQ(bodies.position[0], (Vec3{4, 5, 6}));
  EXPECT_EQ(bodies.mass[0], 0.25F);
  EXPECT_EQ(bodies.velocity[0], (Vec3{0, 1, 0}));
  EXPECT_EQ(bodies.id[0], 9007199254740993U);
  EXPECT_EQ(bodies.galaxy[1], 1U);
  EXPECT_FALSE(bodies.has_charges());  // those were of cells
  EXPECT_TRUE(has_note(scene, "left out: heat"));
}

TEST_F(Vtk, LegacyBinaryWithCellsOfVersionFive) {
  std::string file = "# vtk DataFile Version 5.1\nb\nBINARY\nDATASET POLYDATA\nPOINTS 1 float\n";
  for (const float x : {1.0F, -2.0F, 3.5F}) file += bytes_of(x, true);
  file += "\nVERTICES 2 1\nOFFSETS vtktypeint64\n";
  for (const std::int64_t i : {0, 1}) file += bytes_of(i, true);
  file += "\nCONNECTIVITY vtktypeint64\n" + bytes_of(std::int64_t{0}, true);
  file += "\nPOINT_DATA 1\nFIELD FieldData 2\nmy%20heat 1 1 unsigned_char\n\x05\nmass 1 1 double\n";
  file += bytes_of(0.125, true) + "\n";
  const auto scene = read_as(file);
  ASSERT_EQ(scene.bodies.size(), 1U);
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1.0F, -2.0F, 3.5F}));
  EXPECT_EQ(scene.bodies.mass[0], 0.125F);
  EXPECT_TRUE(has_note(scene, "my heat"));
}

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
  for (const auto* const name : {"a.vtp", "a.vtk"}) {
    SCOPED_TRACE(name);
    write_snapshot(scene, folder() / name);
    const auto back = read_snapshot(folder() / name);
    expect_same_bodies(back.bodies, scene.bodies);
    EXPECT_EQ(back.physics, scene.physics);
    EXPECT_EQ(back.time, scene.time);
    EXPECT_EQ(back.speed, scene.speed);
    EXPECT_EQ(back.title, scene.title);
    EXPECT_EQ(back.units, scene.units);
    EXPECT_TRUE(back.states_physics);
  }
}

void expect_near(const std::vector<Vec3>& a, const std::vector<Vec3>& b, float relative) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_LE(norm(DVec3(a[i]) - DVec3(b[i])), relative * norm(DVec3(b[i])));
}

/// VTK writes six digits into legacy text, and all of them elsewhere.
void expect_same_or_near(const Bodies& a, const Bodies& b, bool six_digits) {
  if (!six_digits) {
    EXPECT_EQ(a.position, b.position);
    EXPECT_EQ(a.velocity, b.velocity);
    EXPECT_EQ(a.mass, b.mass);
  }
  expect_near(a.position, b.position, 1e-5F);
  expect_near(a.velocity, b.velocity, 1e-5F);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(a.mass[i], b.mass[i], 1e-5F * b.mass[i]);
  EXPECT_EQ(a.id, b.id);
}

TEST_F(Vtk, ReferenceFilesHoldTheTruth) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto truth = read_snapshot(real_data() / "reference/truth.csv");
  std::size_t read = 0;
  for (const auto& path : real_snapshots()) {
    const auto extension = path.extension();
    if (extension != ".vtp" && extension != ".vtu" && extension != ".vtk") continue;
    SCOPED_TRACE(path);
    const auto scene = read_snapshot(path);
    expect_same_or_near(scene.bodies, truth.bodies, path.string().find("legacy_ascii") != std::string::npos);
    ++read;
  }
  EXPECT_GE(read, 11U);
}

TEST_F(Vtk, BodiesWithoutVelocitiesStayWithout) {
  auto scene = varied_scene(4, 2);
  scene.has_velocities = false;
  for (auto& v : scene.bodies.velocity) v = {};
  for (const auto* const name : {"a.vtp", "a.vtk"}) {
    write_snapshot(scene, folder() / name);
    EXPECT_FALSE(read_snapshot(folder() / name).has_velocities);
  }
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
  write_snapshot(scene, folder() / "a.vtk", {}, options);
  // Its answer as a table that the program reads.
  std::ofstream(folder() / "judge.py") <<
      R"(import sys, vtk
name, out = sys.argv[1:]
reader = vtk.vtkXMLPolyDataReader() if name.endswith("vtp") else vtk.vtkPolyDataReader()
reader.SetFileName(name)
errors = []
reader.AddObserver("ErrorEvent", lambda *a: errors.append(a))
if hasattr(reader, "ReadAllFieldsOn"): reader.ReadAllFieldsOn(); reader.ReadAllScalarsOn(); reader.ReadAllVectorsOn()
reader.Update()
data = reader.GetOutput()
points, values = data.GetPoints(), data.GetPointData()
assert not errors and data.GetNumberOfCells() == data.GetNumberOfPoints() == 300
cell = data.GetCell(299)
assert cell.GetNumberOfPoints() == 1 and cell.GetPointId(0) == 299
time = data.GetFieldData().GetArray("TimeValue" if name.endswith("vtp") else "TIME")
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
  for (const auto* const name : {"a.vtp", "a.vtk"}) {
    const auto table = folder() / "judged.csv";
    const auto command = fmt::format("/usr/bin/python3 {} {} {}", (folder() / "judge.py").string(),
                                     (folder() / name).string(), table.string());
    ASSERT_EQ(std::system(command.c_str()), 0) << name;  // NOLINT(concurrency-mt-unsafe)
    expect_same_bodies(read_snapshot(table).bodies, scene.bodies);
  }
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
for binary in (False, True):
    for version in (42, 51):
        writer = vtk.vtkPolyDataWriter()
        writer.SetInputData(reader.GetOutput())
        writer.SetFileTypeToBinary() if binary else writer.SetFileTypeToASCII()
        writer.SetFileVersion(version)
        writer.SetFileName(f"{sys.argv[1]}/v{number:02}.vtk")
        assert writer.Write()
        number += 1
assert number == 52
)";
  const auto command =
      fmt::format("/usr/bin/python3 {} {}", (folder() / "write.py").string(), folder().string());
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) {
    const auto name = entry.path().filename().string();
    if (name[0] != 'w' && name[0] != 'v') continue;
    if (name == "write.py") continue;
    SCOPED_TRACE(name);
    const auto back = read_snapshot(entry.path());
    expect_same_or_near(back.bodies, scene.bodies, name == "v48.vtk" || name == "v49.vtk");
    EXPECT_EQ(back.bodies.galaxy, scene.bodies.galaxy);
    EXPECT_EQ(back.physics.gravitational_constant, scene.physics.gravitational_constant);
    EXPECT_EQ(back.physics.law, &electric_law);
    ++read;
  }
  EXPECT_EQ(read, 52U);
}

const std::vector<Color> red_and_blue{0xff0000, 0x0000ff};

TEST_F(Vtk, ColoursOfArraysByName) {
  const std::string head =
      "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n0 0 0 1 1 1\nPOINT_DATA 2\n";
  for (const auto* const data :
       {"SCALARS RGB unsigned_char 3\nLOOKUP_TABLE default\n255 0 0 0 0 255\n",
        "SCALARS Colors unsigned_char 4\nLOOKUP_TABLE default\n255 0 0 9 0 0 255 9\n",
        "COLOR_SCALARS any 3\n1 0 0 0 0 1\n", "VECTORS rgb float\n255 0 0 0 0 255\n"}) {
    const auto scene = read_as(head + data);
    EXPECT_EQ(scene.bodies.color, red_and_blue) << data;
    EXPECT_TRUE(has_note(scene, "taken as the colours")) << data;
  }
  const auto scalar = read_as(head + "SCALARS color float\nLOOKUP_TABLE default\n0.5 0.25\n");
  EXPECT_FALSE(scalar.bodies.has_colors());
  EXPECT_TRUE(has_note(scalar, "left out: color"));
}

TEST_F(Vtk, ColoursComeBack) {
  auto scene = varied_scene(9, 1);
  scene.bodies.color.assign(9, 0x123456);
  scene.bodies.color[3] = 0;
  for (const auto* const name : {"a.vtp", "a.vtk", "a.bin", "a.csv"}) {
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
