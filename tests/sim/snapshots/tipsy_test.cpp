
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// Little-endian bytes of a Tipsy file, put together field by field.
class TipsyBytes {
 public:
  template <typename T>
  TipsyBytes& add(T value) {
    const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    bytes_.append(raw.data(), raw.size());
    return *this;
  }
  TipsyBytes& header(std::uint32_t gas, std::uint32_t dark, std::uint32_t star, std::uint32_t pad = 0) {
    return add(0.5).add(gas + dark + star).add(3U).add(gas).add(dark).add(star).add(pad);
  }
  /// Mass 1, position (k, 0, 0), velocity (0, k, 0).
  TipsyBytes& common(float k) {
    for (const float v : {1.0F, k, 0.0F, 0.0F, 0.0F, k, 0.0F}) add(v);
    return *this;
  }
  TipsyBytes& dark(float k, std::uint32_t last) { return common(k).add(0.1F).add(last); }
  TipsyBytes& star(float k, std::uint32_t last) { return common(k).add(0.0F).add(0.0F).add(0.1F).add(last); }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

using Tipsy = SnapshotTest;

double total_mass(const Scene& scene) {
  return std::accumulate(scene.bodies.mass.begin(), scene.bodies.mass.end(), 0.0);
}

TEST_F(Tipsy, GalaxyOfCudaSamplesHasItsComponents) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const Scene scene = read_snapshot(real_data() / "tipsy/galaxy_20K.bin");
  const auto counts = scene.bodies.component_counts();
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::halo)], 2500U);
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::bulge)], 2500U);
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::disk)], 15000U);
  EXPECT_EQ(scene.bodies.id.front(), 200000000U);
  EXPECT_EQ(scene.bodies.id[2500], 100000000U);
  EXPECT_EQ(scene.bodies.id.back(), 14999U);
  EXPECT_EQ(scene.source, "Tipsy, little-endian, 32-byte header, single precision, Bonsai V1 ids");
  EXPECT_EQ(scene.title, "galaxy_20K.bin");
}

TEST_F(Tipsy, BigEndianFilesHaveGasDarkAndStars) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const Scene scene = read_snapshot(real_data() / "tipsy/tiny.000640");
  const auto counts = scene.bodies.component_counts();
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::gas)], 171U);
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::halo)], 3078U);
  EXPECT_EQ(counts[static_cast<std::size_t>(Component::star)], 49U);
  EXPECT_DOUBLE_EQ(scene.time, 0.25228136787231603);
  EXPECT_EQ(read_snapshot(real_data() / "tipsy/tiny.000832").bodies.size(), 3344U);
}

TEST_F(Tipsy, ReferenceFilesAreTheTruth) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const Scene truth = read_snapshot(real_data() / "reference/truth.csv");
  ASSERT_EQ(truth.bodies.size(), 8U);
  std::size_t compared = 0;
  for (const auto& path : real_snapshots()) {
    if (!path.filename().string().starts_with("ref_tipsy")) continue;
    const Scene scene = read_snapshot(path);
    EXPECT_EQ(scene.bodies.position, truth.bodies.position) << path;
    EXPECT_EQ(scene.bodies.velocity, truth.bodies.velocity) << path;
    EXPECT_EQ(scene.bodies.mass, truth.bodies.mass) << path;
    EXPECT_EQ(scene.time, 0.25) << path;
    EXPECT_EQ(scene.bodies.component[0], Component::gas);
    EXPECT_EQ(scene.bodies.component[2], Component::halo);
    EXPECT_EQ(scene.bodies.component[7], Component::star);
    ++compared;
  }
  EXPECT_EQ(compared, 7U);
}

TEST_F(Tipsy, AllDoublePrecisionIsKnownByTheSize) {
  TipsyBytes file;
  file.header(0, 1, 0);
  for (const double v : {2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.1, -1.0}) file.add(v);
  const Scene scene = read_snapshot(save("double", file.bytes()));
  EXPECT_EQ(scene.bodies.position[0], (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 6}));
  EXPECT_EQ(total_mass(scene), 2.0);
}

TEST_F(Tipsy, LongCountsOfPkdgravUseThePad) {
  // n = 0 in the low 32 bits is not possible for a file of a test: the counts' sum decides, not the pad.
  TipsyBytes garbage;
  garbage.header(0, 1, 1, 0x01010101).dark(1, 0xbf800000).star(2, 0xbf800000);
  EXPECT_EQ(read_snapshot(save("garbage pad", garbage.bytes())).bodies.size(), 2U);
  TipsyBytes huge;
  huge.add(0.5).add(5U).add(3U).add(0U).add(6U).add(std::uint32_t(-1)).add(0x01000001U).dark(1, 0);
  // 6 dark and 2^32 + (2^32 - 1) star bodies: their sum is 2^33 + 5, not 2^32 + 5.
  EXPECT_NE(refusal(save("huge", huge.bytes())).find("no known format"), std::string::npos);
  TipsyBytes right;
  right.add(0.5).add(5U).add(3U).add(0U).add(6U).add(std::uint32_t(-1)).add(0x00000001U).dark(1, 0);
  EXPECT_NE(refusal(save("right", right.bytes())).find("4294967295 star"), std::string::npos);
}

TEST_F(Tipsy, PotentialsAreNotTakenForIds) {
  const auto ids_are_counted = [&](std::uint32_t first, std::uint32_t second) {
    TipsyBytes file;
    file.header(0, 2, 0).dark(1, first).dark(2, second);
    const Scene scene = read_snapshot(save("potentials", file.bytes()));
    return scene.bodies.id == std::vector<std::uint64_t>{0, 1};
  };
  EXPECT_TRUE(ids_are_counted(std::bit_cast<std::uint32_t>(-1.0F), std::bit_cast<std::uint32_t>(-2.0F)));
  EXPECT_TRUE(ids_are_counted(std::bit_cast<std::uint32_t>(1.0F), std::bit_cast<std::uint32_t>(2.0F)));
  EXPECT_TRUE(ids_are_counted(0, 0));
  EXPECT_TRUE(ids_are_counted(200000007, 200000007));
  EXPECT_FALSE(ids_are_counted(200000007, 200000009));
}

TEST_F(Tipsy, BonsaiLongIdsNameComponents) {
  constexpr std::uint64_t unit = 1'000'000'000'000'000'000;
  TipsyBytes file;
  file.header(0, 1, 2, 2);
  file.common(1).add(3 * unit + 7);
  file.common(2).add(0.0F).add(0.0F).add(2 * unit + 1);
  file.common(3).add(0.0F).add(0.0F).add(std::uint64_t{5});
  const Scene scene = read_snapshot(save("v2", file.bytes()));
  EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{3 * unit + 7, 2 * unit + 1, 5}));
  EXPECT_EQ(scene.bodies.component, (std::vector{Component::halo, Component::bulge, Component::disk}));
}

TEST_F(Tipsy, PadOfTwoWithoutLongIdsIsGarbage) {
  TipsyBytes file;
  file.header(0, 2, 0, 2).dark(1, 200000003).dark(2, 200000009);
  const Scene scene = read_snapshot(save("pad", file.bytes()));
  EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{200000003, 200000009}));
}

TEST_F(Tipsy, FirstOfSeveralSnapshotsIsRead) {
  TipsyBytes file;
  file.header(0, 1, 0).dark(1, 0).header(0, 2, 0).dark(2, 0).dark(3, 0);
  const Scene scene = read_snapshot(save("series", file.bytes()));
  EXPECT_EQ(scene.bodies.size(), 1U);
  EXPECT_TRUE(has_note(scene, "several snapshots"));
}

TEST_F(Tipsy, CutFileIsRefusedBySize) {
  TipsyBytes file;
  file.header(0, 2, 0).dark(1, 0);
  EXPECT_NE(refusal(save("cut", file.bytes())).find("2 dark and 0 star bodies (104 bytes)"),
            std::string::npos);
}

TEST_F(Tipsy, FileWithoutItsLastWordIsNotOneWithAShortHeader) {
  auto content = TipsyBytes().header(0, 2, 0, 0x7ff6).dark(1, 0).dark(2, 0).bytes();
  content.resize(content.size() - 4);
  refusal(save("cut", content));
}

TEST_F(Tipsy, HugeCountAllocatesNothing) {
  TipsyBytes file;
  file.header(0, 0x80000000U, 0).dark(1, 0);
  EXPECT_NE(refusal(save("huge", file.bytes())).find("2147483648 dark"), std::string::npos);
}

TEST_F(Tipsy, NoBodiesAreRefused) {
  EXPECT_NE(refusal(save("none", TipsyBytes().header(0, 0, 0).bytes())).find("holds no bodies"),
            std::string::npos);
}

TEST_F(Tipsy, BadNumbersAreRefusedByBody) {
  TipsyBytes file;
  file.header(0, 2, 0).dark(1, 0).dark(std::numeric_limits<float>::quiet_NaN(), 0);
  EXPECT_NE(refusal(save("nan", file.bytes())).find("the position of body 2 is not finite"),
            std::string::npos);
  TipsyBytes negative;
  negative.header(0, 1, 0).add(-1.0F);
  for (int k = 0; k < 8; ++k) negative.add(0.0F);
  EXPECT_NE(refusal(save("negative", negative.bytes())).find("body 1 has a negative mass"),
            std::string::npos);
}

TEST_F(Tipsy, DoublesThatOverflowAskForOtherUnits) {
  TipsyBytes file;
  file.header(0, 1, 0);
  for (const double v : {1.0, 1e40, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, -1.0}) file.add(v);
  EXPECT_NE(refusal(save("cgs", file.bytes())).find("units"), std::string::npos);
}

/// A galaxy as the program makes them: ids count all bodies.
Scene made_galaxy(std::size_t count) {
  Scene scene = varied_scene(count, 7);
  constexpr std::array kinds{Component::halo, Component::disk, Component::bulge};
  for (std::size_t i = 0; i < count; ++i) scene.bodies.component[i] = kinds.at(i % kinds.size());
  return scene;
}

class TipsyOrder : public SnapshotTest, public ::testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(Both, TipsyOrder, ::testing::Bool());

TEST_P(TipsyOrder, MadeGalaxyComesBack) {
  const Scene scene = made_galaxy(1000);
  const auto path = folder() / "made.tipsy";
  write_snapshot(scene, path, "tipsy", {GetParam()});
  const Scene back = read_snapshot(path);
  expect_same_bodies(sorted_by_id(scene.bodies), sorted_by_id(back.bodies));
  EXPECT_EQ(back.time, scene.time);
  EXPECT_TRUE(
      std::ranges::is_sorted(back.bodies.component, {}, [](Component c) { return c != Component::halo; }));
}

TEST_P(TipsyOrder, OtherComponentsBecomeGasDarkAndStar) {
  const Scene scene = varied_scene(500, 3);
  const auto path = folder() / "varied.tipsy";
  write_snapshot(scene, path, "tipsy", {GetParam()});
  const Scene back = read_snapshot(path);
  ASSERT_EQ(back.bodies.size(), 500U);
  std::size_t next = 0;
  for (const auto kind : {Component::gas, Component::halo, Component::star}) {
    for (std::size_t i = 0; i < 500; ++i) {
      const auto component = scene.bodies.component[i];
      const bool star = component != Component::gas && component != Component::halo;
      if ((star ? Component::star : component) != kind) continue;
      EXPECT_EQ(back.bodies.position[next], scene.bodies.position[i]);
      EXPECT_EQ(back.bodies.component[next], kind);
      EXPECT_EQ(back.bodies.id[next], next);
      ++next;
    }
  }
}

TEST_P(TipsyOrder, LargeIdsOfBonsaiAreKept) {
  Scene scene = made_galaxy(3);
  scene.bodies.id = {200000500, 7, 100000003};
  const auto path = folder() / "ids.tipsy";
  write_snapshot(scene, path, "tipsy", {GetParam()});
  expect_same_bodies(sorted_by_id(scene.bodies), sorted_by_id(read_snapshot(path).bodies));
}

TEST_F(Tipsy, IndependentGalaxiesAreNotMerged) {
  Scene scene = made_galaxy(4);
  scene.bodies.galaxy = {0, 0, 1, 1};
  EXPECT_THROW(write_snapshot(scene, folder() / "two.tipsy"), Error);
  EXPECT_EQ(files(), 0U);
}

TEST_F(Tipsy, ExtensionStdIsBigEndian) {
  write_snapshot(made_galaxy(3), folder() / "made.std");
  EXPECT_EQ(content_of(folder() / "made.std").substr(8, 4), std::string("\0\0\0\3", 4));
}

}  // namespace
}  // namespace orrery::sim
