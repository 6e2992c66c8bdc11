#include <algorithm>
#include <cmath>
#include <fstream>

#include "sim/bodies/origin.h"
#include "sim/core/byte_order.h"
#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// Bytes of a Gadget file, put together record by record.
class GadgetText {
 public:
  explicit GadgetText(bool big_endian = false, bool labels = false)
      : big_endian_(big_endian), labels_(labels) {}

  struct Header {
    std::array<std::uint32_t, 6> counts{};
    std::array<double, 6> masses{};
    double time = 0.0, redshift = 0.0, omega = 0.0, box = 0.0;
    std::uint32_t files = 0;
  };

  GadgetText& header(const Header& header) {
    std::string bytes(256, '\xee');  // what is not used is garbage in real files
    const auto put = [&](std::size_t at, auto value) { this->put(value, bytes.data() + at); };
    for (std::size_t k = 0; k < 6; ++k) {
      put(4 * k, header.counts.at(k));
      put(24 + 8 * k, header.masses.at(k));
    }
    put(72, header.time);
    put(80, header.redshift);
    put(124, header.files);
    if (header.box > 0.0) put(128, header.box);
    put(136, header.omega);
    put(152, 0.7);
    return record("HEAD", bytes);
  }
  template <typename T>
  GadgetText& block(const std::string& label, const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    for (std::size_t k = 0; k < values.size(); ++k) put(values[k], bytes.data() + k * sizeof(T));
    return record(label, bytes);
  }
  const std::string& text() const { return text_; }

 private:
  template <typename T>
  void put(T value, char* at) const {
    store(value, big_endian_, reinterpret_cast<std::byte*>(at));
  }
  void add(const std::string& bytes) {
    std::string marker(4, '\0');
    put(static_cast<std::uint32_t>(bytes.size()), marker.data());
    text_ += marker + bytes + marker;
  }
  GadgetText& record(const std::string& label, const std::string& bytes) {
    if (labels_) {
      std::string next(4, '\0');
      put(static_cast<std::uint32_t>(bytes.size() + 8), next.data());
      add((label + "    ").substr(0, 4) + next);
    }
    add(bytes);
    return *this;
  }

  bool big_endian_, labels_;
  std::string text_;
};

using Floats = std::vector<float>;
using Ids = std::vector<std::uint32_t>;

class Gadget : public SnapshotTest {
 protected:
  /// Two disk bodies and a star: everything that a format 1 file may have.
  static std::string small(bool big_endian, bool labels) {
    return GadgetText(big_endian, labels)
        .header({.counts = {0, 0, 2, 0, 1, 0}, .masses = {0, 0, 0, 0, 0.25, 0}, .time = 2.5})
        .block("POS", Floats{1, 2, 3, 4, 5, 6, 7, 8, 9})
        .block("VEL", Floats{-1, -2, -3, -4, -5, -6, -7, -8, -9})
        .block("ID", Ids{30, 10, 20})
        .block("MASS", Floats{0.5F, 0.75F})
        .text();
  }
  static void expect_small(const Scene& scene) {
    const auto& bodies = scene.bodies;
    ASSERT_EQ(bodies.size(), 3U);
    EXPECT_EQ(bodies.position[1], (Vec3{4, 5, 6}));
    EXPECT_EQ(bodies.velocity[2], (Vec3{-7, -8, -9}));
    EXPECT_EQ(bodies.id, (std::vector<std::uint64_t>{30, 10, 20}));
    EXPECT_EQ(bodies.mass, (Floats{0.5F, 0.75F, 0.25F}));
    EXPECT_EQ(bodies.component, (std::vector{Component::disk, Component::disk, Component::star}));
    EXPECT_EQ(scene.time, 2.5);
  }
};

TEST_F(Gadget, BothFormatsInBothOrders) {
  for (const bool big_endian : {false, true}) {
    for (const bool labels : {false, true}) {
      SCOPED_TRACE(testing::Message() << big_endian << labels);
      const auto scene = read_text(small(big_endian, labels));
      expect_small(scene);
      EXPECT_EQ(scene.source, std::string("Gadget format ") + (labels ? "2, " : "1, ") +
                                  (big_endian ? "big" : "little") + "-endian, single precision");
    }
  }
}

TEST_F(Gadget, WideNumbersAndLongIds) {
  const auto scene = read_text(GadgetText()
                                   .header({.counts = {0, 2}, .masses = {0, 3.0}})
                                   .block("POS", std::vector<double>{1.5, 0, 0, 2.5, 0, 0})
                                   .block("VEL", std::vector<double>{0, 0, 0, 0, 0.1, 0})
                                   .block("ID", std::vector<std::uint64_t>{1ULL << 40U, 7})
                                   .text());
  EXPECT_EQ(scene.bodies.position[1].x, 2.5F);
  EXPECT_EQ(scene.bodies.velocity[1].y, 0.1F);
  EXPECT_EQ(scene.bodies.id[0], 1ULL << 40U);
  EXPECT_NE(scene.source.find("double precision"), std::string::npos);
}

TEST_F(Gadget, ABoxIsTakenWhereBodiesLieInIt) {
  for (const double side : {10.0, 5.0}) {
    const auto scene = read_text(GadgetText()
                                     .header({.counts = {0, 3}, .masses = {0, 1.0}, .box = side})
                                     .block("POS", Floats{1, 2, 3, 4, 5, 6, 7, 8, 9})
                                     .text());
    EXPECT_EQ(scene.box.x, side > 9.0 ? side : 0.0);
  }
}

TEST_F(Gadget, MissingBlocksAreSaid) {
  const auto positions =
      read_text(GadgetText(true, true).header({.counts = {0, 0, 0, 3}}).block("POS", Floats(9, 1.0F)).text());
  EXPECT_FALSE(positions.has_velocities);
  EXPECT_EQ(positions.bodies.id, (std::vector<std::uint64_t>{0, 1, 2}));
  EXPECT_FLOAT_EQ(positions.bodies.mass[2], 1.0F / 3.0F);
  // Format 1 without velocities: the next record has the size of ids.
  const auto unnamed = read_text(GadgetText()
                                     .header({.counts = {0, 0, 0, 3}, .masses = {0, 0, 0, 2}})
                                     .block("", Floats{1, 0, 0, 2, 0, 0, 3, 0, 0})
                                     .block("", Ids{5, 6, 7})
                                     .text());
  EXPECT_FALSE(unnamed.has_velocities);
  EXPECT_EQ(unnamed.bodies.id, (std::vector<std::uint64_t>{5, 6, 7}));
  EXPECT_NE(text_refusal(GadgetText(false, true).header({.counts = {1}}).block("VEL", Floats(3000)).text())
                .find("POS"),
            std::string::npos);
}

TEST_F(Gadget, WhatIsLeftOutIsNamed) {
  const auto scene = read_text(GadgetText(false, true)
                                   .header({.counts = {1}, .masses = {1.0}})
                                   .block("POS", Floats(3))
                                   .block("RHO", Floats(1))
                                   .block("U", Floats(1))
                                   .block("INFO", Floats(10))
                                   .text());
  EXPECT_TRUE(has_note(scene, "left out: RHO, U"));
}

TEST_F(Gadget, ComovingNumbersBecomePhysical) {
  const auto scene =
      read_text(GadgetText()
                    .header({.counts = {0, 1}, .masses = {0, 1}, .time = 0.25, .redshift = 3, .omega = 0.3})
                    .block("POS", Floats{8, 0, 0})
                    .block("VEL", Floats{0, 6, 0})
                    .text());
  EXPECT_EQ(scene.bodies.position[0].x, 2.0F);
  EXPECT_EQ(scene.bodies.velocity[0].y, 3.0F);
  EXPECT_EQ(scene.time, 0.0);
  EXPECT_TRUE(has_note(scene, "scale factor 0.25"));
}

TEST_F(Gadget, SeveralFilesAreOneSnapshot) {
  for (std::uint32_t k = 0; k < 12; ++k) {
    save("snap_7." + std::to_string(k), GadgetText()
                                            .header({.counts = {0, 1}, .masses = {0, 1}, .files = 12})
                                            .block("", Floats{static_cast<float>(k), 0, 0})
                                            .block("", Floats{0, 1, 0})
                                            .block("", Ids{100 + k})
                                            .text());
  }
  const auto scene = read_snapshot(folder() / "snap_7.11");
  ASSERT_EQ(scene.bodies.size(), 12U);
  EXPECT_EQ(scene.bodies.id[3], 103U);
  EXPECT_EQ(scene.bodies.position[11].x, 11.0F);
  std::filesystem::remove(folder() / "snap_7.5");
  EXPECT_NE(refusal(folder() / "snap_7.0").find("snap_7.5"), std::string::npos);
  std::filesystem::copy(folder() / "snap_7.0", folder() / "alone");
  EXPECT_TRUE(has_note(read_snapshot(folder() / "alone"), "one of 12 files"));
}

TEST_F(Gadget, CountsThatDoNotFitAreRefused) {
  EXPECT_NE(
      text_refusal(GadgetText().header({.counts = {0xffffffffU, 0xffffffffU}}).block("", Floats(3)).text())
          .find("too few"),
      std::string::npos);
  EXPECT_NE(text_refusal(GadgetText().header({}).text()).find("no bodies"), std::string::npos);
  EXPECT_NE(text_refusal(small(false, true).substr(0, 300)).find("cut off"), std::string::npos);
}

TEST_F(Gadget, WhatIsWrittenComesBack) {
  auto scene = varied_scene(300, 8);
  std::ranges::fill(scene.bodies.galaxy, 0);
  std::ranges::fill(scene.bodies.charge, 0.0F);
  scene.time = 3.25;
  for (const bool big_endian : {false, true}) {
    const auto path = folder() / "a.gad";
    write_snapshot(scene, path, {}, {.big_endian = big_endian});
    const auto back = read_snapshot(path);
    expect_same_bodies(sorted_by_id(back.bodies), sorted_by_id(scene.bodies));
    EXPECT_EQ(back.time, 3.25);
  }
}

// The same eight bodies in every form; halo bodies have the mass 0.5 of the header there.
TEST_F(Gadget, ReferenceFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto truth = read_snapshot(real_data() / "reference" / "truth.csv");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(real_data() / "reference")) {
    if (entry.path().extension() != ".gad") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    const auto bodies = sorted_by_id(read_snapshot(entry.path()).bodies);
    EXPECT_EQ(bodies.position, truth.bodies.position);
    EXPECT_EQ(bodies.velocity, truth.bodies.velocity);
    EXPECT_EQ(bodies.id, truth.bodies.id);
  }
  EXPECT_EQ(files, 4U);
}

/// 1e8 has neighbours 8 apart in single precision: what lies between is there only if it is recentred first.
TEST_F(Gadget, DoublesFarFromZeroKeepTheirDigits) {
  std::vector<double> places;
  for (int k = 0; k < 20; ++k) places.insert(places.end(), {1e8 + 0.125 * k, -2.0, 0.5 * k});
  GadgetText text;
  text.header({.counts = {0, 20, 0, 0, 0, 0}, .masses = {0, 1, 0, 0, 0, 0}}).block("POS ", places);
  const auto scene = read_text(text.text());
  EXPECT_NEAR(scene.bodies.origin.x, 1e8, 8.0);
  for (std::size_t k = 0; k < 20; ++k)
    EXPECT_EQ(absolute_place(scene.bodies, k).x, 1e8 + 0.125 * static_cast<double>(k));
  // Comoving, at a = 0.5.
  GadgetText half;
  half.header({.counts = {0, 20, 0, 0, 0, 0},
               .masses = {0, 1, 0, 0, 0, 0},
               .time = 0.5,
               .redshift = 1,
               .omega = 0.3})
      .block("POS ", places);
  EXPECT_EQ(absolute_place(read_text(half.text()).bodies, 3).x, 0.5 * (1e8 + 0.375));
}

TEST_F(Gadget, FloatsFarFromZeroComeBackBitForBit) {
  Floats places;
  for (int k = 0; k < 20; ++k) places.insert(places.end(), {1e6F + 0.25F * static_cast<float>(k), 0, 0});
  GadgetText text;
  text.header({.counts = {0, 20, 0, 0, 0, 0}, .masses = {0, 1, 0, 0, 0, 0}}).block("POS ", places);
  auto bodies = read_text(text.text()).bodies;
  EXPECT_NE(bodies.origin, DVec3{});
  set_origin(bodies, {});
  for (std::size_t k = 0; k < 20; ++k) EXPECT_EQ(bodies.position[k].x, places[3 * k]);
}

TEST_F(Gadget, RealFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto folder = real_data() / "gadget";
  const auto big = read_snapshot(folder / "gassphere_bigendian.dat");
  expect_same_bodies(big.bodies, read_snapshot(folder / "gassphere_littleendian.dat").bodies);
  EXPECT_EQ(big.bodies.size(), 1472U);
  EXPECT_EQ(read_snapshot(folder / "ticket245.dat").bodies.size(), 1324U);
  const auto parts = read_snapshot(folder / "snap_002.2");
  EXPECT_EQ(parts.bodies.size(), 800U);
  EXPECT_FALSE(parts.has_velocities);
}

}  // namespace
}  // namespace orrery::sim
