// Files of points: PLY and XYZ.
#include <array>

#include "sim/core/byte_order.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Ply = SnapshotTest;
using Xyz = SnapshotTest;

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

TEST_F(Xyz, PlacesAlone) {
  const auto scene = read_text("2\n at t = 3\nH 1 2 3\nHe -1 -2 -3\n2\nlater\nH 0 0 0\nHe 1 1 1\n");
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.position[1], (Vec3{-1, -2, -3}));
  EXPECT_EQ(scene.bodies.mass[0], 0.5F);
  EXPECT_FALSE(scene.has_velocities);
  EXPECT_TRUE(has_note(scene, "at t = 3"));
  EXPECT_TRUE(has_note(scene, "several snapshots"));
}

TEST_F(Xyz, EveryFrameIsASnapshotWithItsTime) {
  const std::string text = "1\nt = 3\nH 1 2 3\n2\nTime: 4.5\nH 0 0 0\nHe 1 1 1\n";
  EXPECT_EQ(count_snapshots(save("frames.xyz", text)), 2U);
  const auto first = read_text(text), last = read_text(text, {.snapshot = 1});
  EXPECT_EQ(first.time, 3.0);
  EXPECT_EQ(last.time, 4.5);
  EXPECT_EQ(last.bodies.size(), 2U);
  EXPECT_NE(text_refusal(text, {.snapshot = 2}).find("2 snapshots only"), std::string::npos);
}

TEST_F(Xyz, VelocitiesWhereAllBodiesHaveThem) {
  EXPECT_EQ(read_text("1\n\nS 1 2 3 4 5 6\n").bodies.velocity[0], (Vec3{4, 5, 6}));
  const auto some = read_text("2\n\nS 1 2 3 4 5 6\nS 2 2 3\n");
  EXPECT_FALSE(some.has_velocities);
  EXPECT_EQ(some.bodies.velocity[0], Vec3{});
}

TEST_F(Xyz, WhatMakesNoSenseIsRefused) {
  EXPECT_NE(text_refusal("3\nc\nS 1.25 2 3\nS 2.5 3 4\n").find("ends after 2 of 3"), std::string::npos);
  EXPECT_NE(text_refusal("2\nc\nS 1 2 3\n1 2 3 4\n").find("line 4 is no body"), std::string::npos);
  EXPECT_NE(text_refusal("9999999999999\nc\nS 1 2 3\n").find("too short"), std::string::npos);
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
  expect_near(read_snapshot(reference / "ref.xyz").bodies.position, truth.position);
}

}  // namespace
}  // namespace orrery::sim
