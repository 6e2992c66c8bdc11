// Files of points: PLY.
#include <array>

#include "sim/core/byte_order.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Ply = SnapshotTest;

TEST_F(Ply, TextWithPropertiesInAnyOrder) {
  const auto scene = read_text(
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement vertex 2\r\nproperty float mass\r\n"
      "property float x\r\nproperty float y\r\nproperty double z\r\nproperty uchar red\r\nproperty float "
      "vx\r\n"
      "property float vy\r\nproperty float vz\r\nelement face 1\r\nproperty list uchar int vertex_indices\r\n"
      "end_header\r\n0.5 1 2 3 255 4 5 6\r\n0.25 -1 -2 -3 0 -4 -5 -6\r\n3 0 1 1\r\n");
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.bodies.velocity[1], (Vec3{-4, -5, -6}));
  EXPECT_EQ(scene.bodies.mass[1], 0.25F);
  EXPECT_TRUE(has_note(scene, "red"));
}

TEST_F(Ply, BinaryInBothOrdersAfterAnotherElement) {
  for (const bool big_endian : {false, true}) {
    std::string text =
        std::string("ply\nformat binary_") + (big_endian ? "big" : "little") +
        "_endian 1.0\nelement camera 2\nproperty uchar a\nproperty short b\nelement vertex 2\n"
        "property double x\nproperty float y\nproperty float z\nproperty uint id\nend_header\n";
    text += std::string(6, 'c');
    const auto put = [&](auto value) {
      std::array<std::byte, sizeof(value)> bytes;
      store(value, big_endian, bytes.data());
      text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    for (const float sign : {1.0F, -1.0F}) {
      put(1.5 * static_cast<double>(sign));
      put(2.0F * sign);
      put(3.0F * sign);
      put(static_cast<std::uint32_t>(sign > 0 ? 9 : 4));
    }
    const auto scene = read_text(text);
    ASSERT_EQ(scene.bodies.size(), 2U);
    EXPECT_EQ(scene.bodies.position[1], (Vec3{-1.5F, -2, -3}));
    EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{9, 4}));
    EXPECT_FALSE(scene.has_velocities);
    EXPECT_NE(text_refusal(std::string_view(text).substr(0, text.size() - 1)).find("cut off"),
              std::string::npos);
  }
}

std::string ply_text(std::string_view properties, std::string_view rows) {
  return "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n" +
         std::string(properties) + "end_header\n" + std::string(rows);
}

std::string color_properties(std::string_view type, std::string_view prefix = "") {
  std::string text;
  for (const auto* const part : {"red", "green", "blue"})
    text += "property " + std::string(type) + ' ' + std::string(prefix) + part + '\n';
  return text;
}

const std::vector<Color> red_green_gray{0xff0000, 0x00ff00, 0x808080};

TEST_F(Ply, ColoursOfEveryTypeAreKept) {
  const std::string bytes = "0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 128 128 128\n";
  for (const auto* const type : {"uchar", "int", "float", "ushort"}) {
    const auto scene = read_text(ply_text(color_properties(type), bytes));
    EXPECT_EQ(scene.bodies.color, red_green_gray) << type;
    EXPECT_TRUE(has_note(scene, "red, green, blue from 0 to 255 were taken as the colours")) << type;
    EXPECT_FALSE(has_note(scene, "left out")) << type;
  }
  const auto named = read_text(ply_text(color_properties("uchar", "diffuse_"), bytes));
  EXPECT_EQ(named.bodies.color, red_green_gray);
  const auto words = read_text(
      ply_text(color_properties("ushort"), "0 0 0 65535 0 0\n1 0 0 0 65535 0\n0 1 0 32896 32896 32896\n"));
  EXPECT_EQ(words.bodies.color, red_green_gray);
  EXPECT_TRUE(has_note(words, "from 0 to 65535"));
  const auto fractions =
      read_text(ply_text(color_properties("float"), "0 0 0 1 0 0\n1 0 0 0 1 0\n0 1 0 .502 .502 .502\n"));
  EXPECT_EQ(fractions.bodies.color, red_green_gray);
  EXPECT_TRUE(has_note(fractions, "from 0 to 1 "));
  // Almost black, by the type.
  const auto dark = read_text(ply_text(color_properties("uchar"), "0 0 0 1 0 0\n1 0 0 0 0 0\n0 1 0 0 0 0\n"));
  EXPECT_EQ(dark.bodies.color.front(), 0x010000U);
}

TEST_F(Ply, BinaryColoursAreKept) {
  std::string text =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
      "y\nproperty float z\n" +
      color_properties("uchar") + "property uchar alpha\nend_header\n";
  text += std::string(12, '\0') + "\x12\x34\x56\x78";
  const auto scene = read_text(text);
  EXPECT_EQ(scene.bodies.color, std::vector<Color>{0x123456});
  EXPECT_TRUE(has_note(scene, "left out: alpha"));
}

TEST_F(Ply, WhatIsNoColourIsLeftOutWithANote) {
  const auto partial =
      read_text(ply_text("property uchar red\nproperty uchar green\n", "0 0 0 1 2\n1 0 0 3 4\n0 1 0 5 6\n"));
  EXPECT_FALSE(partial.bodies.has_colors());
  EXPECT_TRUE(has_note(partial, "left out: red, green"));
  for (const auto* const value : {"-1", "0.5", "70000", "1e300"}) {
    const std::string rows = std::string("0 0 0 ") + value + " 0 7\n1 0 0 0 0 0\n0 1 0 0 0 0\n";
    const auto scene = read_text(ply_text(color_properties("float"), rows));
    EXPECT_FALSE(scene.bodies.has_colors()) << value;
    EXPECT_TRUE(has_note(scene, "which are no colours")) << value;
  }
  // A radius beside colours is none of them.
  const auto radius = read_text(ply_text("property float r\n" + color_properties("uchar"),
                                         "0 0 0 9 255 0 0\n1 0 0 9 0 255 0\n0 1 0 9 128 128 128\n"));
  EXPECT_EQ(radius.bodies.color, red_green_gray);
  EXPECT_TRUE(has_note(radius, "left out: r"));
}

/// u and v place a texture. With w, and where nothing else is one, they are a velocity.
TEST_F(Ply, TexturesAreNoVelocities) {
  const std::string two = "0 0 0 .1 .2\n1 0 0 .3 .4\n0 1 0 .5 .6\n";
  for (const auto& [first, second] :
       {std::pair("u", "v"), std::pair("s", "t"), std::pair("texture_u", "texture_v"),
        std::pair("texture_s", "texture_t")}) {
    const std::string names = std::string("property float ") + first + "\nproperty float " + second + '\n';
    const auto scene = read_text(ply_text(names, two));
    EXPECT_FALSE(scene.has_velocities) << first;
    EXPECT_EQ(scene.bodies.velocity[0], Vec3()) << first;
    EXPECT_TRUE(has_note(scene, std::string("left out: ") + first + ", " + second)) << first;
  }
  const auto whole = read_text(ply_text("property float u\nproperty float v\nproperty float w\n",
                                        "0 0 0 1 2 3\n1 0 0 4 5 6\n0 1 0 7 8 9\n"));
  EXPECT_TRUE(whole.has_velocities);
  EXPECT_EQ(whole.bodies.velocity[2], (Vec3{7, 8, 9}));
  const auto both = read_text(ply_text(
      "property float vx\nproperty float vy\nproperty float vz\nproperty float u\nproperty float v\n",
      "0 0 0 1 2 3 .1 .2\n1 0 0 4 5 6 .3 .4\n0 1 0 7 8 9 .5 .6\n"));
  EXPECT_EQ(both.bodies.velocity[0], (Vec3{1, 2, 3}));
  EXPECT_TRUE(has_note(both, "left out: u, v"));
  const auto one = read_text(ply_text("property float vx\n", "0 0 0 1\n1 0 0 4\n0 1 0 7\n"));
  EXPECT_FALSE(one.has_velocities);
  EXPECT_TRUE(has_note(one, "left out: vx"));
}

TEST_F(Ply, WrittenBodiesComeBack) {
  auto scene = varied_scene(50, 3);
  for (std::size_t i = 0; i < 50; ++i) scene.bodies.id[i] = i;
  scene.bodies.color.assign(50, 0x204060);
  write_snapshot(scene, folder() / "a.ply");
  expect_same_bodies(read_snapshot(folder() / "a.ply").bodies, scene.bodies);
  EXPECT_NE(content_of(folder() / "a.ply").find("property uchar red\n"), std::string::npos);
  scene.has_velocities = false;
  scene.bodies.color.clear();
  for (auto& v : scene.bodies.velocity) v = {};
  write_snapshot(scene, folder() / "b.ply");
  const auto back = read_snapshot(folder() / "b.ply");
  expect_same_bodies(back.bodies, scene.bodies);
  EXPECT_FALSE(back.has_velocities);
}

TEST_F(Ply, WhatMakesNoSenseIsRefused) {
  const std::string head = "ply\nformat ascii 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  EXPECT_NE(text_refusal(head + "element face 1\nproperty float x\nend_header\n1\n").find("without vertices"),
            std::string::npos);
  EXPECT_NE(
      text_refusal(head + "element vertex 99999999999999\n" + xyz + "end_header\n1 2 3\n").find("too short"),
      std::string::npos);
  EXPECT_NE(text_refusal(head + "element vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n")
                .find("no z"),
            std::string::npos);
  EXPECT_NE(text_refusal(head + "element vertex 1\nproperty quad x\nend_header\n1\n").find("'quad'"),
            std::string::npos);
  EXPECT_NE(text_refusal(head + "element vertex 1\n" + xyz + "end_header\n1 2\n").find("lacks a number"),
            std::string::npos);
  EXPECT_NE(text_refusal(head + "element vertex 1\n" + xyz).find("no end_header"), std::string::npos);
  EXPECT_NE(text_refusal(head + "element tri 1\nproperty list uchar int v\nelement vertex 1\n" + xyz +
                         "end_header\n1 1\n1 2 3\n")
                .find("after lists"),
            std::string::npos);
}

/// Texts of nine digits are not the last bit.
void expect_near(const std::vector<Vec3>& found, const std::vector<Vec3>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_FLOAT_EQ(found[i].x, wanted[i].x);
    EXPECT_FLOAT_EQ(found[i].y, wanted[i].y);
    EXPECT_FLOAT_EQ(found[i].z, wanted[i].z);
  }
}

// The same eight bodies in every form.
TEST_F(Ply, ReferenceFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto reference = real_data() / "reference";
  const auto truth = read_snapshot(reference / "truth.csv").bodies;
  for (const auto* const name :
       {"ref_ascii.ply", "ref_binary_little_endian.ply", "ref_binary_big_endian.ply"}) {
    SCOPED_TRACE(name);
    const auto bodies = read_snapshot(reference / name).bodies;
    expect_near(bodies.position, truth.position);
    expect_near(bodies.velocity, truth.velocity);
    EXPECT_EQ(bodies.mass, truth.mass);
    EXPECT_EQ(bodies.id, truth.id);
  }
  EXPECT_EQ(read_snapshot(reference / "ref_binary_big_endian.ply").bodies.position, truth.position);
}

TEST_F(Ply, ColoursOfSeveralTypesAreOneRange) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
      "property float red\nproperty float green\nproperty uchar blue\nend_header\n";
  EXPECT_FALSE(read_text(head + "0 0 0 70000 0 0\n1 0 0 0 0 255\n").bodies.has_colors());
  EXPECT_EQ(read_text(head + "0 0 0 255 0 0\n1 0 0 0 0 255\n").bodies.color[0], 0xff0000U);
  // A byte of 300 is none.
  std::string bytes = head;
  for (auto at = bytes.find("float red"); at != std::string::npos; at = bytes.find("float red"))
    bytes.replace(at, 5, "uchar");
  const auto odd = read_text(bytes + "0 0 0 300.5 0 0\n1 0 0 0 0 255\n");
  EXPECT_FALSE(odd.bodies.has_colors());
}

TEST_F(Ply, ColumnsOfWordsAreNoColours) {
  const auto scene = read_text("x,y,z,red,green,blue\n0,0,0,none,none,none\n1,0,0,1,2,3\n");
  EXPECT_FALSE(scene.bodies.has_colors());
  EXPECT_TRUE(has_note(scene, "left out: red, green and blue"));
}

TEST_F(Ply, AMagneticFieldIsNoBlue) {
  const auto scene = read_text(
      "# vtk DataFile Version 3.0\nfield\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n0 0 0 1 0 0\n"
      "POINT_DATA 2\nVECTORS B float\n1 2 3 4 5 6\n");
  EXPECT_EQ(scene.bodies.size(), 2U);
  EXPECT_TRUE(has_note(scene, "left out: B"));
}

}  // namespace
}  // namespace orrery::sim
