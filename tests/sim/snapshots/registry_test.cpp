#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>

#include "sim/core/ending_signals.h"
#include "sim/core/error.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/named_values.h"
#include "sim/snapshots/text_table.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

using Registry = SnapshotTest;
using Bin = SnapshotTest;
using Writer = SnapshotTest;

TEST_F(Registry, FormatsHaveDifferentNamesAndExtensions) {
  std::vector<std::string_view> names;
  for (const auto* format : snapshot_formats()) {
    EXPECT_EQ(find_snapshot_format(format->name), format);
    EXPECT_FALSE(format->meaning.empty());
    names.push_back(format->name);
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
  EXPECT_EQ(find_snapshot_format("tga"), nullptr);
}

TEST_F(Registry, ThingsThatAreNoFilesAreRefused) {
  EXPECT_NE(refusal(folder() / "absent").find("check the name"), std::string::npos);
  EXPECT_NE(refusal(folder()).find("folder"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("device"), std::string::npos);
  EXPECT_NE(refusal("").find("cannot read"), std::string::npos);
  EXPECT_NE(refusal(save("empty", "")).find("empty"), std::string::npos);
  const auto pipe = folder() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_NE(refusal(pipe).find("pipe"), std::string::npos);
  EXPECT_NE(refusal(folder() / std::string(200, 'n') / "a\nb").find("a?b"), std::string::npos);
}

TEST_F(Registry, UnreadableFileIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const auto path = save("secret", "1 2 3\n");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  EXPECT_NE(refusal(path).find("permission"), std::string::npos);
}

TEST_F(Registry, KnownFormatsOfOthersAreNamed) {
  using namespace std::string_view_literals;
  const std::vector<std::pair<std::string_view, std::string>> known{{"BZh91AY"sv, "bzip2"},
                                                                    {"<?xml version=\"1.0\"?>"sv, "XML"},
                                                                    {"REBOUND of its own"sv, "REBOUND"},
                                                                    {"\2\0\0\0\1\0\0\0\2\0\0\0"sv, "Tipsy"},
                                                                    {"\0\0\0\2\0\0\0\1\0\0\0\2"sv, "Tipsy"},
                                                                    {"\xff\xfe"
                                                                     "1\0 \0"sv,
                                                                     "UTF-16"},
                                                                    {"PK\x03\x04...."sv, "zip"}};
  for (const auto& [content, name] : known) {
    const auto message = text_refusal(content);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("not supported yet"), std::string::npos) << message;
  }
  EXPECT_NE(text_refusal("\x01\x02\x03garbage").find("no known format"), std::string::npos);
}

TEST_F(Registry, RealFilesOfOtherFormatsAreNamed) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  for (const auto& entry : fs::recursive_directory_iterator(real_data())) {
    const auto snapshots = real_snapshots();
    if (!entry.is_regular_file() || std::ranges::count(snapshots, entry.path()) > 0) continue;
    const auto message = refusal(entry.path());
    const bool is_readme = entry.path().extension() == ".md";
    EXPECT_EQ(message.find("not supported yet") == std::string::npos, is_readme) << message;
  }
}

TEST_F(Registry, UnknownNamesAreUsageErrors) {
  ReadOptions options;
  options.format = "gadget9";
  EXPECT_THROW(read_text("1 2 3\n", options), UsageError);
  const Scene scene = varied_scene(3, 1);
  EXPECT_THROW(write_snapshot(scene, folder() / "a.xyz"), UsageError);
  EXPECT_THROW(write_snapshot(scene, folder() / "a"), UsageError);
  EXPECT_THROW(write_snapshot(scene, folder() / "a", "xyz"), UsageError);
  EXPECT_THROW(write_snapshot(Scene{}, folder() / "a.csv"), Error);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Registry, OnlyFormatsThatCanBeWrittenAreOffered) {
  for (const char* format : {"", "xyz"}) {
    try {
      write_snapshot(varied_scene(3, 1), folder() / "a", format);
      ADD_FAILURE() << "a file without a format was written";
    } catch (const UsageError& error) {
      const std::string text = error.what();
      EXPECT_NE(text.find("tipsy, com4521, csv"), std::string::npos) << text;
      EXPECT_EQ(text.find("rebound"), std::string::npos) << text;
    }
  }
}

TEST_F(Registry, ForcedFormatIsObeyed) {
  ReadOptions options;
  for (const auto* const format : {"tipsy", "bin", "csv", "com4521", "vtk", "vtk-legacy"}) {
    options.format = format;
    refusal(save("zeros", std::string(40, '\0')), options);
  }
}

TEST_F(Registry, ParametersAreSuggestedOnlyWhereTheFileHasNone) {
  Scene scene = varied_scene(20, 1);
  scene.physics.softening = 0.123;
  scene.physics.gravitational_constant = 43007.1;
  write_snapshot(scene, folder() / "a.bin");
  write_snapshot(scene, folder() / "a.csv");
  const Scene bin = read_snapshot(folder() / "a.bin");
  EXPECT_EQ(bin.physics.softening, 0.123);
  EXPECT_EQ(bin.physics.gravitational_constant, 43007.1);
  EXPECT_TRUE(bin.notes.empty());
  EXPECT_FALSE(read_snapshot(folder() / "a.csv").notes.empty());
}

TEST_F(Registry, CancelStopsEveryReader) {
  Scene scene = varied_scene(20000, 1);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    scene.bodies.position[i].z = scene.bodies.velocity[i].z = 0.0F;
  }
  for (const auto* format : snapshot_formats()) {
    if (format->write == nullptr) continue;
    const auto path = folder() / format->name;
    write_snapshot(scene, path, format->name);
    LoadProgress progress;
    ReadOptions options;
    options.progress = &progress;
    EXPECT_EQ(read_snapshot(path, options).bodies.size(), 20000U) << format->name;
    EXPECT_EQ(progress.fraction, 1.0F);
    progress.cancel = true;
    EXPECT_THROW(read_snapshot(path, options), Cancelled) << format->name;
  }
}

TEST_F(Registry, EveryFileConvertsToEveryFormatAndBack) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  for (const auto& path : real_snapshots()) {
    SCOPED_TRACE(path);
    const Scene scene = read_snapshot(path);
    for (const auto* const name : {"out.bin", "out.csv"}) {
      write_snapshot(scene, folder() / name);
      const Scene back = read_snapshot(folder() / name);
      expect_same_bodies(scene.bodies, back.bodies);
      EXPECT_EQ(back.has_velocities, scene.has_velocities);
    }
    for (const bool big_endian : {false, true}) {
      write_snapshot(scene, folder() / "out.tipsy", "", {big_endian});
      const Scene back = read_snapshot(folder() / "out.tipsy");
      EXPECT_EQ(back.time, scene.time);
      // Positions tell bodies apart also where Tipsy renumbers them.
      const auto key = [](const Bodies& b) {
        std::vector<std::array<float, 7>> all;
        for (std::size_t i = 0; i < b.size(); ++i) {
          const auto &p = b.position[i], &v = b.velocity[i];
          all.push_back({p.x, p.y, p.z, v.x, v.y, v.z, b.mass[i]});
        }
        std::ranges::sort(all);
        return all;
      };
      EXPECT_EQ(key(back.bodies), key(scene.bodies));
    }
    EXPECT_THROW(write_snapshot(scene, folder() / "out", "com4521"), Error);
  }
}

TEST_F(Registry, TipsyGalaxyKeepsComponentsThroughEveryFormat) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const Scene scene = read_snapshot(real_data() / "tipsy/galaxy_20K.bin");
  write_snapshot(scene, folder() / "a.csv");
  write_snapshot(read_snapshot(folder() / "a.csv"), folder() / "b.bin");
  write_snapshot(read_snapshot(folder() / "b.bin"), folder() / "c.std");
  write_snapshot(read_snapshot(folder() / "c.std"), folder() / "d.tipsy");
  expect_same_bodies(scene.bodies, read_snapshot(folder() / "d.tipsy").bodies);
}

TEST_F(Registry, VariedScenesComeBackFromCsvExactly) {
  Scene scene = varied_scene(2000, 11);
  std::fill(scene.bodies.galaxy.begin() + 700, scene.bodies.galaxy.end(), 1U);
  write_snapshot(scene, folder() / "a.csv");
  expect_same_bodies(scene.bodies, read_snapshot(folder() / "a.csv").bodies);
  EXPECT_TRUE(content_of(folder() / "a.csv").starts_with("id,mass,x,y,z,vx,vy,vz,component,galaxy\n"));
  scene.bodies.galaxy.assign(2000, 0U);
  write_snapshot(scene, folder() / "a.csv");
  EXPECT_TRUE(content_of(folder() / "a.csv").starts_with("id,mass,x,y,z,vx,vy,vz,component\n"));
}

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
  EXPECT_EQ(fs::file_size(folder() / "a.bin"),
            32U + block_size(content_of(folder() / "a.bin")) + 1001U * 41U + 8U);
}

Scene charged_scene(std::size_t count) {
  Scene scene = varied_scene(count, 21);
  for (std::size_t i = 0; i < count; ++i)
    scene.bodies.charge[i] = scene.bodies.velocity[i].x * (i % 3 == 0 ? 0.0F : 1e-3F);
  return scene;
}

TEST_F(Registry, ChargesSurviveOrAreRefused) {
  Scene scene = charged_scene(500);
  scene.physics.law = &electric_law;
  scene.physics.integrator = find_integrator("symplectic-euler");
  std::fill(scene.bodies.galaxy.begin() + 300, scene.bodies.galaxy.end(), 1U);
  for (const auto* const name : {"a.csv", "a.bin"}) {
    write_snapshot(scene, folder() / name);
    const Scene back = read_snapshot(folder() / name);
    expect_same_bodies(scene.bodies, back.bodies);
    EXPECT_EQ(back.physics.law, &electric_law);
    EXPECT_EQ(back.physics.integrator->name, "symplectic-euler");
  }
  scene.bodies.galaxy.assign(500, 0U);
  for (std::size_t i = 0; i < 500; ++i) scene.bodies.position[i].z = scene.bodies.velocity[i].z = 0.0F;
  for (const auto* const format : {"tipsy", "com4521"}) {
    try {
      write_snapshot(scene, folder() / "refused", format);
      ADD_FAILURE() << format << " dropped the charges without a word";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("holds no charges"), std::string::npos);
    }
  }
  scene.bodies.charge.assign(500, 0.0F);
  write_snapshot(scene, folder() / "a.csv");
  EXPECT_EQ(read_snapshot(folder() / "a.csv").physics.law, &gravity_law);
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

TEST_F(Registry, ChargesAreReadByTheirNames) {
  const Scene scene = read_text("x,y,z,q\n1,2,3,-0.5\n4,5,6,2\n");
  EXPECT_EQ(scene.bodies.charge, (std::vector<float>{-0.5F, 2.0F}));
  ReadOptions options;
  options.columns = "charge,x,y,z,-";
  EXPECT_EQ(read_text("7,2,3,1,0\n", options).bodies.charge, (std::vector<float>{7.0F}));
  EXPECT_NE(text_refusal("x,y,z,charge\n1,2,3,inf\n").find("line 2"), std::string::npos);
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

TEST_F(Writer, ReplacesOnlyWhenFinished) {
  const auto path = save("target", "old");
  {
    FileWriter out(path);
    out.write("new");
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1U);
  FileWriter out(path);
  out.write("new");
  out.finish();
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Writer, RefusesWhatCannotBeReplaced) {
  EXPECT_THROW(FileWriter(folder() / "absent" / "a"), Error);
  EXPECT_THROW(FileWriter{folder()}, Error);
  EXPECT_THROW(FileWriter("/dev/full"), Error);
  EXPECT_THROW(FileWriter(""), Error);
  EXPECT_THROW(FileWriter("/proc/orrery"), Error);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Writer, FollowsLinksAndObeysUmask) {
  const auto path = folder() / "target";
  fs::create_symlink(path, folder() / "link");
  const auto before = ::umask(0027);
  FileWriter out(folder() / "link");
  ::umask(before);
  out.write("new");
  out.finish();
  EXPECT_TRUE(fs::is_symlink(folder() / "link"));
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
}

TEST_F(Writer, KeepsWhatHasTheName) {
  const auto path = save("target", "old");
  EXPECT_THROW(FileWriter(path, Existing::keep), Error);
  fs::create_symlink(folder() / "nowhere", folder() / "link");
  EXPECT_THROW(FileWriter(folder() / "link", Existing::keep), Error);
  EXPECT_TRUE(fs::is_symlink(folder() / "link"));
  EXPECT_EQ(files(), 2U);
  {
    // Somebody else takes the name meanwhile.
    FileWriter out(folder() / "new", Existing::keep);
    out.write("mine");
    save("new", "theirs");
    EXPECT_THROW(out.finish(), Error);
  }
  EXPECT_EQ(content_of(folder() / "new"), "theirs");
  EXPECT_EQ(files(), 3U);
  FileWriter out(folder() / "free", Existing::keep);
  out.write("mine");
  out.finish();
  EXPECT_EQ(content_of(folder() / "free"), "mine");
  EXPECT_EQ(files(), 4U);
}

TEST_F(Writer, FullDiskLeavesNothingBehind) {
  // A limit on the size of files stands in for a full disk: write() fails half way in both.
  struct rlimit before {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 5000;
  auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
  const auto path = save("target.csv", "old");
  std::string message;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    write_snapshot(varied_scene(1000, 1), path);
  } catch (const Error& error) {
    message = error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_TRUE(is_one_short_line(message)) << message;
  EXPECT_EQ(content_of(path), "old");
  EXPECT_EQ(files(), 1U);
}

TEST_F(Writer, TakesTheNextNumberWhereANameIsTaken) {
  FileWriter first(folder() / "a-0009.png", Existing::number);
  FileWriter second(folder() / "a-0009.png", Existing::number);
  first.write("first");
  second.write("second");
  first.finish();
  second.finish();
  EXPECT_EQ(first.target(), folder() / "a-0009.png");
  EXPECT_EQ(second.target(), folder() / "a-0010.png");
  EXPECT_EQ(content_of(first.target()), "first");
  EXPECT_EQ(content_of(second.target()), "second");
  EXPECT_EQ(files(), 2U);
  EXPECT_EQ(numbered_after("x/a-99.b.png"), "x/a-99.b-0002.png");
  EXPECT_EQ(numbered_after("99.png"), "100.png");
  EXPECT_EQ(numbered_after("a"), "a-0002");
}

TEST_F(Writer, HiddenNamesAreTakenAway) {
  const auto path = save("target", "old");
  const auto free = folder() / "free";
  using Kind = TemporaryFile::Kind;
  {
    TemporaryFile unused(folder(), Kind::hidden);
    ASSERT_GE(unused.descriptor(), 0);
    EXPECT_EQ(files(), 2U);
    EXPECT_FALSE(unused.take_name(path, false));
    EXPECT_EQ(errno, EEXIST);
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(files(), 1U);
  EXPECT_TRUE(TemporaryFile(folder(), Kind::hidden).take_name(path, true));
  EXPECT_EQ(content_of(path), "");
  EXPECT_TRUE(TemporaryFile(folder(), Kind::hidden).take_name(free, false));
  EXPECT_TRUE(fs::exists(free));
  EXPECT_EQ(files(), 2U);
}

TEST_F(Writer, SignalsRemoveHiddenNames) {
  const auto half_written = [&](auto end) {
    const TemporaryFile file(folder(), TemporaryFile::Kind::hidden);
    if (files() != 1) std::_Exit(1);
    end();
  };
  for (const int signal : ending_signals) {
    EXPECT_EXIT(half_written([signal] { ::raise(signal); }), testing::KilledBySignal(signal), "");
    EXPECT_EQ(files(), 0U) << signal;
  }
  EXPECT_EXIT(half_written([] { std::exit(5); }), testing::ExitedWithCode(5), "");
  EXPECT_EQ(files(), 0U);
}

TEST_F(Writer, SignalsThatAreIgnoredRemoveNothing) {
  const auto ignoring = [&] {
    std::signal(SIGHUP, SIG_IGN);
    const TemporaryFile file(folder(), TemporaryFile::Kind::hidden);
    ::raise(SIGHUP);
    std::_Exit(files() == 1 ? 5 : 1);
  };
  EXPECT_EXIT(ignoring(), testing::ExitedWithCode(5), "");
  const auto finishing = [&] {
    TemporaryFile(folder(), TemporaryFile::Kind::hidden).take_name(folder() / "whole", true);
    std::exit(6);
  };
  EXPECT_EXIT(finishing(), testing::ExitedWithCode(6), "");
  EXPECT_TRUE(fs::exists(folder() / "whole"));
}

TEST_F(Writer, LeavesNothingBehindWhenAProgramEnds) {
  const auto path = save("target", "old");
  const std::string more_than_a_buffer(3 << 20, 'x');
  const auto write_and = [&](auto end) {
    FileWriter out(path);
    out.write(more_than_a_buffer);
    end();
  };
  for (const int signal : ending_signals) {
    EXPECT_EXIT(write_and([signal] { ::raise(signal); }), testing::KilledBySignal(signal), "");
    EXPECT_EQ(files(), 1U) << signal;
  }
  EXPECT_EXIT(write_and([] { std::exit(3); }), testing::ExitedWithCode(3), "");
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(content_of(path), "old");
}

TEST_F(Writer, LargeContentIsWhole) {
  std::string content;
  for (int k = 0; k < 300000; ++k) content += std::to_string(k);
  FileWriter out(folder() / "large");
  out.write(content);
  out.write(content);
  out.finish();
  EXPECT_EQ(content_of(folder() / "large"), content + content);
}

TEST(Checks, CoincidentBodiesAreCounted) {
  Bodies bodies = varied_scene(5000, 9).bodies;
  EXPECT_EQ(count_coincident(bodies), 0U);
  for (std::size_t i = 0; i < 100; ++i) bodies.position[4000 + i] = bodies.position[7];
  EXPECT_EQ(count_coincident(bodies), 100U);
  std::fill(bodies.galaxy.begin() + 4050, bodies.galaxy.end(), 1U);
  EXPECT_EQ(count_coincident(bodies), 99U);
}

TEST(Numbers, AreParsedWhole) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("+1.5D-01"), 0.15);
  EXPECT_EQ(parse_number("0004096"), 4096.0);
  for (const auto* const text :
       {"", "+", "-", "++1", "+-1", "1,5", "0x10", "1e", "1 2", "1.5f", "D", "e5", "--1"}) {
    EXPECT_FALSE(parse_number(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace orrery::sim
