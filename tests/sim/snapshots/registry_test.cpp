#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "sim/core/error.h"
#include "sim/snapshots/check.h"
#include "sim/snapshots/text_table.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

namespace fs = std::filesystem;

using Registry = SnapshotTest;

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
  const std::vector<std::pair<std::string_view, std::string>> known{
      {"BZh91AY"sv, "bzip2"},
      {"<?xml version=\"1.0\"?>"sv, "XML"},
      {"REBOUND of its own"sv, "REBOUND"},
      {"\2\0\0\0\1\0\0\0\2\0\0\0"sv, "Tipsy"},
      {"\0\0\0\2\0\0\0\1\0\0\0\2"sv, "Tipsy"},
      {"\xff\xfe"
       "1\0 \0"sv,
       "UTF-16"},
      {"2\nc\nH 1 2 3 4 5 6\nH 1 2 4 1 1 1\n"sv, "XYZ"},
      {"PK\x03\x04...."sv, "zip"}};
  for (const auto& [content, name] : known) {
    const auto message = text_refusal(content);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("which is not read"), std::string::npos) << message;
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
    const auto says = [&](std::string_view part) { return message.find(part) != std::string::npos; };
    EXPECT_EQ(says("which is not read") || says("of VTK's files only those are read"), !is_readme) << message;
  }
}

TEST_F(Registry, UnknownNamesAreUsageErrors) {
  ReadOptions options;
  options.format = "gadget9";
  EXPECT_THROW(read_text("1 2 3\n", options), UsageError);
  const Scene scene = varied_scene(3, 1);
  EXPECT_THROW(write_snapshot(scene, folder() / "a.stl"), UsageError);
  EXPECT_THROW(write_snapshot(scene, folder() / "a"), UsageError);
  EXPECT_THROW(write_snapshot(scene, folder() / "a", "rebound"), UsageError);
  EXPECT_THROW(write_snapshot(Scene{}, folder() / "a.csv"), Error);
  EXPECT_EQ(files(), 1U);
}

TEST_F(Registry, OnlyFormatsThatCanBeWrittenAreOffered) {
  for (const char* format : {"", "votable"}) {
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
  for (const auto* const format : {"tipsy", "bin", "csv", "com4521", "vtk"}) {
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

TEST_F(Registry, ChargesAreReadByTheirNames) {
  const Scene scene = read_text("x,y,z,q\n1,2,3,-0.5\n4,5,6,2\n");
  EXPECT_EQ(scene.bodies.charge, (std::vector<float>{-0.5F, 2.0F}));
  ReadOptions options;
  options.columns = "charge,x,y,z,-";
  EXPECT_EQ(read_text("7,2,3,1,0\n", options).bodies.charge, (std::vector<float>{7.0F}));
  EXPECT_NE(text_refusal("x,y,z,charge\n1,2,3,inf\n").find("line 2"), std::string::npos);
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
