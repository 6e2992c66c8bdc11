#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <random>

#include "sim/bodies/origin.h"
#include "sim/core/error.h"
#include "tests/sim/snapshots/vtk_testing.h"

namespace orrery::sim {
namespace {

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
  EXPECT_NE(
      text_refusal("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0 0 0\n")
          .find("a VTK file of the older kind (legacy), which is not read; save it as .vtp in ParaView"),
      std::string::npos);
}

/// 1e8 has neighbours 8 apart in single precision: what lies between is there only if it is recentred first.
TEST_F(Vtk, DoublesFarFromZeroKeepTheirDigits) {
  std::string places;
  for (int k = 0; k < 20; ++k) places += fmt::format("{:.3f} {} 0\n", 1e8 + 0.125 * k, k);
  const auto of_type = [&](const char* type) {
    return read_text(fmt::format(
        "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"20\"><Points><DataArray type=\"{}\" "
        "NumberOfComponents=\"3\" format=\"ascii\">{}</DataArray></Points></Piece></PolyData></VTKFile>",
        type, places));
  };
  const auto scene = of_type("Float64");
  EXPECT_NEAR(scene.bodies.origin.x, 1e8, 8.0);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(absolute_place(scene.bodies, k).x, 1e8 + 0.125 * static_cast<double>(k));
  auto single = of_type("Float32").bodies;
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

}  // namespace
}  // namespace orrery::sim
