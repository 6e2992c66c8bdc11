#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <random>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

class Vtk : public SnapshotTest {
 protected:
  Scene read_as(std::string_view content) const { return read_snapshot(save("a.dat", content)); }
};

/// The numbers of a scene in the ways in which VTK files hold them; written here apart from the program's
/// writer.
struct Spelling {
  bool big_endian = false, long_headers = false, zlib = false, appended = false, base64 = true, ascii = false;
};

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = (bits << 8) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : letters[(bits >> (18 - 6 * k)) & 63];
  }
  return text;
}

template <typename T>
std::string bytes_of(T value, bool big_endian) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  if (big_endian) std::ranges::reverse(bytes);
  return bytes;
}

std::string count_of(std::size_t value, const Spelling& spelling) {
  return spelling.long_headers ? bytes_of(std::uint64_t{value}, spelling.big_endian)
                               : bytes_of(static_cast<std::uint32_t>(value), spelling.big_endian);
}

/// In blocks of 64 bytes, so that there are several and a short one.
std::string packed(const std::string& raw, const Spelling& spelling) {
  constexpr std::size_t block = 64;
  std::string sizes, blocks;
  std::size_t number = 0;
  for (std::size_t at = 0; at < raw.size(); at += block, ++number) {
    const auto part = raw.substr(at, block);
    std::string out(200, '\0');
    auto size = static_cast<uLongf>(out.size());
    EXPECT_EQ(::compress(reinterpret_cast<Bytef*>(out.data()), &size,
                         reinterpret_cast<const Bytef*>(part.data()), static_cast<uLong>(part.size())),
              Z_OK);
    sizes += count_of(size, spelling);
    blocks += out.substr(0, size);
  }
  const auto head =
      count_of(number, spelling) + count_of(block, spelling) + count_of(raw.size() % block, spelling) + sizes;
  return spelling.base64 ? base64(head) + base64(blocks) : head + blocks;
}

std::string spelled(const std::string& raw, const Spelling& spelling) {
  if (spelling.zlib) return packed(raw, spelling);
  const auto plain = count_of(raw.size(), spelling) + raw;
  return spelling.base64 ? base64(plain) : plain;
}

class XmlFile {
 public:
  explicit XmlFile(Spelling spelling) : spelling_(spelling) {}

  template <typename T>
  void add(const std::string& tag, std::string_view type, std::string_view name, std::size_t components,
           const std::vector<T>& values) {
    std::string raw, text;
    for (const T value : values) {
      raw += bytes_of(value, spelling_.big_endian);
      text += fmt::format("{} ", value);
    }
    auto& body = tag == "Points" ? points_ : data_;
    const bool appended = spelling_.appended && !spelling_.ascii;
    body += fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="{}")", type, name,
                        components,
                        spelling_.ascii ? "ascii"
                        : appended      ? "appended"
                                        : "binary");
    if (appended) {
      body += fmt::format(" offset=\"{}\"/>\n", appended_.size());
      appended_ += spelled(raw, spelling_);
    } else {
      // An information key as VTK writes it, which ends the data.
      body +=
          fmt::format(">\n  {}\n<InformationKey name=\"L2\"><Value>1</Value></InformationKey></DataArray>\n",
                      spelling_.ascii ? text : spelled(raw, spelling_));
    }
  }

  std::string text(std::size_t points) const {
    auto file = fmt::format(
        "<?xml version=\"1.0\"?>\n<!-- a comment -->\n<VTKFile type=\"PolyData\" version=\"0.1\" "
        "byte_order=\"{}\"{}{}>\n<PolyData>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
        "NumberOfTuples=\"1\" format=\"ascii\">2.5</DataArray></FieldData>\n"
        "<Piece NumberOfPoints=\"{}\">\n<PointData>\n{}</PointData>\n<CellData/>\n<Points>{}</Points>\n"
        "</Piece>\n</PolyData>\n",
        spelling_.big_endian ? "BigEndian" : "LittleEndian",
        spelling_.long_headers ? " header_type=\"UInt64\"" : "",
        spelling_.zlib ? " compressor=\"vtkZLibDataCompressor\"" : "", points, data_, points_);
    if (spelling_.appended && !spelling_.ascii)
      file += fmt::format("<AppendedData encoding=\"{}\">\n _", spelling_.base64 ? "base64" : "raw") +
              appended_ + "\n</AppendedData>";
    return file + "</VTKFile>\n";
  }

 private:
  Spelling spelling_;
  std::string points_, data_, appended_;
};

/// Six bodies with all quantities; ids that need 64 bits.
std::string file_of(const Spelling& spelling) {
  std::vector<float> x, v, m;
  std::vector<double> charge;
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 3; ++k) {
      x.push_back(static_cast<float>(i) + 0.25F * static_cast<float>(k));
      v.push_back(-x.back());
    }
    m.push_back(1.0F / static_cast<float>(i + 1));
    charge.push_back(i % 2 == 0 ? 0.5 : -0.5);
    ids.push_back((std::uint64_t{1} << 60) + static_cast<std::uint64_t>(i));
  }
  XmlFile file(spelling);
  file.add("PointData", "Float32", "Velocity", 3, v);
  file.add("PointData", "Float32", "temperature", 1, m);
  file.add("PointData", "Float32", "Masses", 1, m);
  file.add("PointData", "Float64", "q", 1, charge);
  file.add("PointData", "UInt64", "id", 1, ids);
  file.add("PointData", "Int32", "component", 1, std::vector<int>{0, 1, 2, 3, 4, 77});
  file.add("Points", "Float32", "Points", 3, x);
  return file.text(6);
}

void expect_six_bodies(const Scene& scene) {
  const auto& bodies = scene.bodies;
  ASSERT_EQ(bodies.size(), 6U);
  EXPECT_EQ(scene.time, 2.5);
  EXPECT_TRUE(scene.has_velocities);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto f = static_cast<float>(i);
    EXPECT_EQ(bodies.position[i], (Vec3{f, f + 0.25F, f + 0.5F}));
    EXPECT_EQ(bodies.velocity[i], -1.0F * bodies.position[i]);
    EXPECT_FLOAT_EQ(bodies.mass[i], 1.0F / (f + 1.0F));
    EXPECT_EQ(bodies.charge[i], i % 2 == 0 ? 0.5F : -0.5F);
    EXPECT_EQ(bodies.id[i], (std::uint64_t{1} << 60) + i);
    EXPECT_EQ(bodies.component[i], static_cast<Component>(i));  // 77 is 'other', the sixth
  }
  EXPECT_TRUE(has_note(scene, "left out: temperature"));
  EXPECT_TRUE(has_note(scene, "unknown number"));
  EXPECT_EQ(scene.physics.law, &electric_law);
  EXPECT_FALSE(scene.states_physics);
}

TEST_F(Vtk, EverySpellingOfXml) {
  for (int bits = 0; bits < 32; ++bits) {
    const Spelling spelling{.big_endian = (bits & 1) != 0,
                            .long_headers = (bits & 2) != 0,
                            .zlib = (bits & 4) != 0,
                            .appended = (bits & 8) != 0,
                            .base64 = (bits & 16) != 0 || (bits & 8) == 0};
    SCOPED_TRACE(bits);
    expect_six_bodies(read_as(file_of(spelling)));
  }
  expect_six_bodies(read_as(file_of({.ascii = true})));
}

TEST_F(Vtk, EverySpellingIsRefusedWhenItIsCutOff) {
  for (int bits = 0; bits < 33; ++bits) {
    const Spelling spelling{.big_endian = (bits & 1) != 0,
                            .long_headers = (bits & 2) != 0,
                            .zlib = (bits & 4) != 0,
                            .appended = (bits & 8) != 0,
                            .base64 = (bits & 16) != 0 || (bits & 8) == 0,
                            .ascii = bits == 32};
    const auto content = file_of(spelling);
    for (std::size_t size = 1; size + 1 < content.size(); size += 7) {
      const auto message = refusal(save("cut", std::string_view(content).substr(0, size)));
      EXPECT_TRUE(is_one_short_line(message));
    }
  }
}

TEST_F(Vtk, RandomDamageNeverCrashes) {
  std::mt19937_64 random(11);
  for (int bits = 0; bits < 33; ++bits) {
    const auto content = file_of({.big_endian = (bits & 1) != 0,
                                  .long_headers = (bits & 2) != 0,
                                  .zlib = (bits & 4) != 0,
                                  .appended = (bits & 8) != 0,
                                  .base64 = (bits & 16) != 0 || (bits & 8) == 0,
                                  .ascii = bits == 32});
    for (int trial = 0; trial < 150; ++trial) {
      auto damaged = content;
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
}

TEST_F(Vtk, TheLineThatIsNoXmlIsNamed) {
  const std::string head = "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\">\n<PolyData>\n";
  EXPECT_NE(refusal(save("cut", head + "<Piece NumberOfPoints=\"1\"></Wrong>\n")).find("line 4 is no XML"),
            std::string::npos);
  EXPECT_NE(refusal(save("cut", head + "\n\n<Piece\nNumberOfPoints=1>\n")).find("line 7 is no XML"),
            std::string::npos);
}

/// Counts that are lies: refused before they cost memory (the address space is limited by the test's parent
/// under asan; here a bad_alloc would be another message).
TEST_F(Vtk, HostileCountsAreRefused) {
  const auto xml = [&](std::string_view points, std::string_view components, std::string_view content) {
    return refusal(
        save("hostile", fmt::format("<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"{}\">"
                                    "<Points><DataArray type=\"Float32\" NumberOfComponents=\"{}\" "
                                    "format=\"{}</DataArray></Points></Piece></PolyData></VTKFile>",
                                    points, components, content)));
  };
  EXPECT_NE(xml("99999999999999", "3", "ascii\">1 2 3").find("fewer numbers"), std::string::npos);
  EXPECT_NE(xml("18446744073709551615", "3", "ascii\">1 2 3").find("cannot have"), std::string::npos);
  EXPECT_NE(xml("99999999999", "3", "binary\">AAAA").find("cut off"), std::string::npos);
  EXPECT_NE(xml("1", "3", "binary\">/////w==").find("another size"), std::string::npos);
  EXPECT_NE(xml("-1", "3", "ascii\">1 2 3").find("no count"), std::string::npos);
  EXPECT_NE(xml("1", "99999999999", "ascii\">1").find("three components"), std::string::npos);
  EXPECT_NE(xml("1", "3", "ascii\">1 x 3").find("'x'"), std::string::npos);
  EXPECT_NE(xml("1", "3", "appended\" offset=\"77\">").find("behind the end"), std::string::npos);
  const auto legacy = [&](std::string_view rest) {
    return refusal(save("hostile", fmt::format("# vtk DataFile Version 3.0\nt\n{}", rest)));
  };
  EXPECT_NE(legacy("ASCII\nDATASET POLYDATA\nPOINTS 999999999999 float\n1 2 3\n").find("fewer numbers"),
            std::string::npos);
  EXPECT_NE(legacy("BINARY\nDATASET POLYDATA\nPOINTS 999999999999 float\n1 2 3\n").find("cut off"),
            std::string::npos);
  EXPECT_NE(legacy("ASCII\nDATASET POLYDATA\nPOINTS 18446744073709551615 float\n").find("cannot have"),
            std::string::npos);
  EXPECT_NE(legacy("ASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2 3\nFIELD a 99999999999\n").find("no count"),
            std::string::npos);
}

TEST_F(Vtk, PackedSizesThatAreLies) {
  // One block of 2^30 bytes packed into a few: no such ratio exists.
  const Spelling spelling{.zlib = true};
  const auto head = count_of(1, spelling) + count_of(std::size_t{1} << 30, spelling) + count_of(0, spelling) +
                    count_of(16, spelling);
  const auto file = fmt::format(
      "<VTKFile type=\"PolyData\" compressor=\"vtkZLibDataCompressor\"><PolyData><Piece "
      "NumberOfPoints=\"134217728\"><Points><DataArray type=\"Float64\" NumberOfComponents=\"1\" "
      "format=\"binary\">{}{}</DataArray></Points></Piece></PolyData></VTKFile>",
      base64(head), base64(std::string(16, 'x')));
  EXPECT_NE(refusal(save("lies", file)).find("three components"), std::string::npos);
  auto of_three = file;
  of_three.replace(of_three.find("NumberOfComponents=\"1\""), 22, "NumberOfComponents=\"3\"");
  EXPECT_NE(refusal(save("lies", of_three)).find("another size"), std::string::npos);
}

TEST_F(Vtk, OtherFilesOfVtkAreNamed) {
  EXPECT_NE(text_refusal("<VTKFile type=\"ImageData\"><ImageData/></VTKFile>").find("ImageData"),
            std::string::npos);
  EXPECT_NE(text_refusal("<VTKFile type=\"Collection\"><Collection><DataSet timestep=\"0\" file=\"a/b.vtp\"/>"
                         "</Collection></VTKFile>")
                .find("'a/b.vtp'"),
            std::string::npos);
  EXPECT_NE(text_refusal("<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"/>").find("LZ4"),
            std::string::npos);
  EXPECT_NE(
      text_refusal("<!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile type=\"PolyData\"/>").find("document type"),
      std::string::npos);
  EXPECT_NE(text_refusal("<a><VTKFile/></a>").find("none of VTK"), std::string::npos);
  EXPECT_NE(text_refusal("<VTKFile type=\"PolyData\"/>").find("no bodies"), std::string::npos);
  EXPECT_NE(text_refusal("# vtk DataFile Version 3.0\nt\nASCII\nDATASET STRUCTURED_POINTS\n")
                .find("STRUCTURED_POINTS"),
            std::string::npos);
}

/// 1e8 has neighbours 8 apart in single precision: what lies between is there only if it is recentred first.
TEST_F(Vtk, DoublesFarFromZeroKeepTheirDigits) {
  std::string places;
  for (int k = 0; k < 20; ++k) places += fmt::format("{:.3f} {} 0\n", 1e8 + 0.125 * k, k);
  const auto legacy = [&](const char* type) {
    return read_text(fmt::format("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 20 {}\n{}",
                                 type, places));
  };
  const auto file = fmt::format(
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"20\"><Points><DataArray type=\"Float64\" "
      "NumberOfComponents=\"3\" format=\"ascii\">{}</DataArray></Points></Piece></PolyData></VTKFile>",
      places);
  for (const auto& scene : {legacy("double"), read_text(file)}) {
    EXPECT_NEAR(scene.bodies.origin.x, 1e8, 8.0);
    for (std::size_t k = 0; k < 20; ++k)
      EXPECT_EQ(absolute_place(scene.bodies, k).x, 1e8 + 0.125 * static_cast<double>(k));
  }
  auto single = legacy("float").bodies;
  set_origin(single, {});
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(single.position[k].x, static_cast<float>(1e8 + 0.125 * static_cast<double>(k)));
}

TEST_F(Vtk, SeveralPiecesFollowEachOther) {
  const auto piece = [](int first) {
    return fmt::format(
        "<Piece NumberOfPoints=\"2\"><PointData><DataArray type=\"Float32\" Name=\"mass\" "
        "format=\"ascii\">{} "
        "{}</DataArray></PointData><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" "
        "format=\"ascii\">{} 0 0 {} 0 0</DataArray></Points></Piece>",
        first, first + 1, first, first + 1);
  };
  const auto file = [](const std::string& pieces) {
    return "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + pieces + "</UnstructuredGrid></VTKFile>";
  };
  const auto scene = read_as(file(piece(1) + piece(3)));
  ASSERT_EQ(scene.bodies.size(), 4U);
  EXPECT_EQ(scene.bodies.mass[3], 4.0F);
  EXPECT_EQ(scene.bodies.position[2].x, 3.0F);
  EXPECT_EQ(scene.bodies.id[3], 3U);
  EXPECT_FALSE(scene.has_velocities);
  auto without = piece(3);
  without.replace(without.find("mass"), 4, "heat");
  EXPECT_NE(text_refusal(file(piece(1) + without)).find("only some"), std::string::npos);
}

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
