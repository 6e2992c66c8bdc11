#include <algorithm>
#include <cstring>
#include <span>

#include "sim/core/error.h"
#include "sim/snapshots/named_values.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Bin = SnapshotTest;

/// Of the named values.
std::uint64_t block_size(const std::string& content) {
  std::uint64_t size = 0;
  std::memcpy(&size, content.data() + 24, sizeof size);
  return size;
}

TEST_F(Bin, HoldsEverything) {
  Scene scene = varied_scene(1001, 2);
  std::fill(scene.bodies.galaxy.begin() + 500, scene.bodies.galaxy.end(), 3U);
  scene.bodies.id[4] = ~std::uint64_t{0};
  scene.physics.softening = 0.25;
  scene.physics.time_step = 1.0 / 3.0;
  scene.speed = 2.5;
  scene.units = {.length = 3e19, .time = 4e14};
  scene.physics.gravitational_constant = 4.3;
  scene.physics.law = &electric_law;
  scene.physics.coulomb = 1.0 / 7.0;
  scene.physics.magnetic = 1e-7;
  scene.physics.integrator = find_integrator("forest-ruth");
  scene.physics.dimensions = 2;
  scene.title = "a galaxy\xc3\xa9";
  scene.has_velocities = false;
  write_snapshot(scene, folder() / "a.bin");
  const Scene back = read_snapshot(folder() / "a.bin");
  expect_same_bodies(scene.bodies, back.bodies);
  EXPECT_EQ(back.time, scene.time);
  EXPECT_EQ(back.physics, scene.physics);
  EXPECT_EQ(back.speed, scene.speed);
  EXPECT_EQ(back.units, scene.units);
  EXPECT_EQ(back.title, scene.title);
  EXPECT_FALSE(back.has_velocities);
  EXPECT_EQ(std::filesystem::file_size(folder() / "a.bin"),
            32U + block_size(content_of(folder() / "a.bin")) + 1001U * 41U + 8U);
}

TEST_F(Bin, TheLawIsStatedAndNotGuessed) {
  Scene scene = charged_scene(50);
  write_snapshot(scene, folder() / "a.bin");
  const Scene back = read_snapshot(folder() / "a.bin");
  EXPECT_EQ(back.physics, scene.physics) << "gravity between bodies that have charges";
  EXPECT_TRUE(back.notes.empty());
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2)
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(k, 2)), nullptr, 16));
  return bytes;
}

// Two files that the program wrote while version 1 was the only one: two-body after a step of 0.5 with
// G = 2.5 and softening 0.125, and two charges of a text table.
constexpr std::string_view version_1 =
    "4f5252455259423101000000010000000200000000000000000000000000e03f0000000000000440000000000000c03f"
    "000000000000e03f65732d3852c1f03f080000000000000074776f2d626f6479e3672ebf3acd13be00000000e3672e3f"
    "3acd133e00000000c019963e38e982be00000000c01996be38e9823e000000000000003f0000003f0000000000000000"
    "0100000000000000040400000000000000007bad55267664afe9";
constexpr std::string_view version_1_with_charges =
    "4f52524552594231010000000300000002000000000000000000000000000000000000000000f03fe15766d1b7e5963f"
    "723aa04edc30b03f525bda3a584cf93f0500000000000000712e6373760000000000803f0000004000004040000080bf"
    "000000c000004040000000000000000000000000000000000000803f000000000000803f0000803f0000000000000000"
    "0100000000000000050500000000000000000000003f000000bf6e22504bc5bcccea";

TEST_F(Bin, VersionOneIsStillRead) {
  const Scene scene = read_snapshot(save("old.bin", from_hex(version_1)));
  EXPECT_EQ(scene.source, "Orrery binary, version 1");
  EXPECT_EQ(scene.title, "two-body");
  EXPECT_EQ(scene.time, 0.5);
  EXPECT_NEAR(scene.speed, 1.0472, 1e-4);
  EXPECT_EQ(scene.physics, (Physics{.gravitational_constant = 2.5, .softening = 0.125, .time_step = 0.5}));
  EXPECT_TRUE(scene.has_velocities);
  ASSERT_EQ(scene.bodies.size(), 2U);
  EXPECT_EQ(scene.bodies.position[0], -1.0F * scene.bodies.position[1]);
  EXPECT_NEAR(scene.bodies.position[1].x, 0.68127, 1e-5);
  EXPECT_NEAR(scene.bodies.velocity[0].x, 0.29317, 1e-5);
  EXPECT_EQ(scene.bodies.mass, (std::vector<float>{0.5F, 0.5F}));
  EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(scene.bodies.component[1], Component::star);
  EXPECT_TRUE(scene.notes.empty());
}

TEST_F(Bin, ChargesOfVersionOneSuggestTheirLaw) {
  const Scene scene = read_snapshot(save("old.bin", from_hex(version_1_with_charges)));
  EXPECT_EQ(scene.bodies.charge, (std::vector<float>{0.5F, -0.5F}));
  EXPECT_EQ(scene.bodies.position[1], (Vec3{-1, -2, 3}));
  EXPECT_EQ(scene.physics.law, &electric_law);
  EXPECT_EQ(scene.physics.integrator->name, "symplectic-euler");
  EXPECT_TRUE(has_note(scene, "carry charges"));
}

TEST_F(Bin, VersionOneIsCheckedAsBefore) {
  const auto whole = from_hex(version_1);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    refusal(save("b.bin", damaged));
    refusal(save("b.bin", whole.substr(0, at)));
  }
}

/// The file with other named values and the right checksum.
std::string with_block(const std::string& content, const std::string& block) {
  std::string changed = content.substr(0, 24);
  const std::uint64_t size = block.size();
  changed.append(reinterpret_cast<const char*>(&size), sizeof size).append(block);
  changed.append(content, 32 + block_size(content), content.size() - 40 - block_size(content));
  std::uint64_t sum = 0xcbf29ce484222325U;
  for (const char c : changed) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return changed.append(reinterpret_cast<const char*>(&sum), sizeof sum);
}

NamedValues values_of(const std::string& content) {
  const auto block = content.substr(32, block_size(content));
  return NamedValues::from_bytes(std::as_bytes(std::span(block))).value();
}

TEST_F(Bin, WhatALaterVersionAddsIsLeftOutWithANote) {
  const Scene scene = varied_scene(5, 3);
  write_snapshot(scene, folder() / "a.bin");
  const auto content = content_of(folder() / "a.bin");
  auto values = values_of(content);
  values.set("redshift", 2.0);
  const Scene back = read_snapshot(save("b.bin", with_block(content, values.bytes())));
  EXPECT_EQ(back.physics, scene.physics);
  EXPECT_TRUE(has_note(back, "redshift"));
  expect_same_bodies(back.bodies, scene.bodies);
  // A kind of value that is not known: 9, with 3 bytes.
  const std::string unknown =
      values_of(content).bytes() + from_hex("0900020003000000") + "abxyz" + std::string(3, '\0');
  EXPECT_TRUE(has_note(read_snapshot(save("c.bin", with_block(content, unknown))), "ab"));
  // Nothing stated: the usual values.
  const Scene bare = read_snapshot(save("d.bin", with_block(content, "")));
  EXPECT_EQ(bare.physics, Physics{});
  EXPECT_EQ(bare.title, "d.bin");
}

TEST_F(Bin, NamedValuesThatMakeNoSenseAreRefused) {
  write_snapshot(varied_scene(5, 3), folder() / "a.bin");
  const auto content = content_of(folder() / "a.bin");
  const auto refused = [&](std::string_view name, auto value) {
    auto values = values_of(content);
    values.set(name, value);
    return refusal(save("b.bin", with_block(content, values.bytes())));
  };
  EXPECT_NE(refused("force-law", std::string_view("strong")).find("force-law is not known"),
            std::string::npos);
  EXPECT_NE(refused("integrator", std::string_view("rk9")).find("integrator"), std::string::npos);
  EXPECT_NE(refused("dimensions", 2.5).find("dimensions"), std::string::npos);
  EXPECT_NE(refused("softening", -1.0).find("softening"), std::string::npos);
  EXPECT_NE(refused("time", std::nan("")).find("time"), std::string::npos);
  // A number as text, a text as a number: not the usual value without a word.
  EXPECT_NE(refused("softening", std::string_view("0.2")).find("softening"), std::string::npos);
  EXPECT_NE(refused("force-law", 1.0).find("force-law"), std::string::npos);
  const auto twice = values_of(content).bytes() + NamedValues(values_of(content)).bytes();
  refusal(save("b.bin", with_block(content, twice)));
  for (const char* block : {"0100020008000000", "01000200ffffffff6162000000000000", "0100"})
    refusal(save("b.bin", with_block(content, from_hex(block))));
}

TEST_F(Bin, ChargesAreCountedAndSummed) {
  write_snapshot(charged_scene(100), folder() / "a.bin");
  const auto whole = content_of(folder() / "a.bin");
  EXPECT_EQ(whole.size(), 40U + block_size(whole) + 100U * 45U);
  auto shorter = whole;
  shorter.erase(shorter.size() - 12, 4);
  refusal(save("b.bin", shorter));
  auto flipped = whole;
  flipped[whole.size() - 20] = static_cast<char>(flipped[whole.size() - 20] ^ 4);
  refusal(save("b.bin", flipped));
  auto uncharged = whole;
  uncharged[12] = static_cast<char>(uncharged[12] & ~2);
  refusal(save("b.bin", uncharged));
}

TEST_F(Bin, AFlippedBitOfAnyByteIsNoticed) {
  write_snapshot(varied_scene(3, 2), folder() / "a.bin");
  const auto whole = content_of(folder() / "a.bin");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    auto damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    refusal(save("b.bin", damaged));
  }
}

TEST_F(Bin, HugeCountAllocatesNothing) {
  write_snapshot(varied_scene(3, 2), folder() / "a.bin");
  auto content = content_of(folder() / "a.bin");
  content[19] = '\x80';
  EXPECT_NE(refusal(save("b.bin", content)).find("2147483651 bodies"), std::string::npos);
  content[23] = '\x7f';
  refusal(save("b.bin", content));
}

}  // namespace
}  // namespace orrery::sim
