#include <algorithm>

#include "sim/core/byte_order.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// Items of a structured file, put together one by one.
class NemoText {
 public:
  explicit NemoText(bool big_endian = false) : big_endian_(big_endian) {}

  NemoText& begin(const std::string& tag) { return head(0x0992, "(").words(tag); }
  NemoText& end() { return head(0x0992, ")"); }
  template <typename T>
  NemoText& number(const std::string& type, const std::string& tag, T value) {
    return head(0x0992, type).words(tag).put(value);
  }
  template <typename T>
  NemoText& array(const std::string& type, const std::string& tag,
                  const std::vector<std::uint32_t>& dimensions, const std::vector<T>& values) {
    head(0x0b92, type).words(tag);
    for (const auto length : dimensions) put(length);
    put(std::uint32_t{0});
    for (const auto value : values) put(value);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  NemoText& head(std::uint16_t magic, const std::string& type) { return put(magic).words(type); }
  NemoText& words(const std::string& letters) {
    text_ += letters + '\0';
    return *this;
  }
  template <typename T>
  NemoText& put(T value) {
    std::string bytes(sizeof(T), '\0');
    store(value, big_endian_, reinterpret_cast<std::byte*>(bytes.data()));
    text_ += bytes;
    return *this;
  }

  bool big_endian_;
  std::string text_;
};

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

class Nemo : public SnapshotTest {
 protected:
  /// Time before the count, doubles, a history, diagnostics with an item of the same name.
  static std::string two_bodies(bool big_endian) {
    return NemoText(big_endian)
        .array("c", "History", {5}, std::vector<char>{'m', 'a', 'k', 'e', '\0'})
        .begin("SnapShot")
        .begin("Parameters")
        .number("d", "Time", 1.5)
        .number("i", "Nobj", 2)
        .end()
        .begin("Particles")
        .number("i", "CoordSystem", 66306)
        .array("d", "Mass", {2}, Doubles{0.25, 0.75})
        .array("d", "PhaseSpace", {2, 2, 3}, Doubles{1, 2, 3, -1, -2, -3, 4, 5, 6, -4, -5, -6})
        .array("d", "Potential", {2}, Doubles{-1, -1})
        .array("i", "Key", {2}, std::vector<std::int32_t>{8, 7})
        .end()
        .begin("Diagnostics")
        .array("d", "Mass", {1}, Doubles{9})
        .end()
        .end()
        .text();
  }
};

TEST_F(Nemo, BothByteOrders) {
  for (const bool big_endian : {false, true}) {
    const auto scene = read_text(two_bodies(big_endian));
    ASSERT_EQ(scene.bodies.size(), 2U);
    EXPECT_EQ(scene.bodies.position[1], (Vec3{4, 5, 6}));
    EXPECT_EQ(scene.bodies.velocity[0], (Vec3{-1, -2, -3}));
    EXPECT_EQ(scene.bodies.mass, (Floats{0.25F, 0.75F}));
    EXPECT_EQ(scene.bodies.id, (std::vector<std::uint64_t>{8, 7}));
    EXPECT_EQ(scene.time, 1.5);
    EXPECT_TRUE(has_note(scene, "left out: Potential"));
    EXPECT_EQ(scene.source, big_endian ? "NEMO snapshot, big-endian" : "NEMO snapshot, little-endian");
  }
}

TEST_F(Nemo, PlacesAndVelocitiesApartAsZenoHasThem) {
  NemoText text;
  text.begin("SnapShot").begin("Particles").array("f", "Position", {1, 3}, Floats{1, 2, 3});
  auto still = text;
  EXPECT_FALSE(read_text(still.end().end().text()).has_velocities);
  const auto scene = read_text(text.array("f", "Velocity", {1, 3}, Floats{4, 5, 6}).end().end().text());
  EXPECT_TRUE(scene.has_velocities);
  EXPECT_EQ(scene.bodies.velocity[0], (Vec3{4, 5, 6}));
  EXPECT_EQ(scene.bodies.mass[0], 1.0F);
}

TEST_F(Nemo, TheFirstSnapshotWithBodiesCounts) {
  const auto diagnostics = NemoText().begin("SnapShot").begin("Diagnostics").end().end().text();
  const auto scene = read_text(diagnostics + two_bodies(false) + two_bodies(false));
  EXPECT_EQ(scene.bodies.size(), 2U);
  EXPECT_TRUE(has_note(scene, "several snapshots"));
  EXPECT_FALSE(has_note(read_text(diagnostics + two_bodies(false)), "several snapshots"));
}

TEST_F(Nemo, WhatMakesNoSenseIsRefused) {
  EXPECT_NE(text_refusal(NemoText().begin("OsipkovMerrittModel").end().text()).find("without a snapshot"),
            std::string::npos);
  const auto with = [](std::uint32_t count, const std::vector<std::uint32_t>& dimensions) {
    NemoText text;
    text.begin("SnapShot").begin("Parameters").number("i", "Nobj", count).end();
    text.begin("Particles").array("f", "Position", dimensions, Floats{1, 2, 3}).end().end();
    return text.text();
  };
  EXPECT_NE(text_refusal(with(2, {1, 3})).find("says 2 bodies"), std::string::npos);
  EXPECT_NE(text_refusal(with(1, {0xffffffffU, 0xffffffffU, 0xffffffffU})).find("damaged"),
            std::string::npos);
  EXPECT_NE(text_refusal(with(1, std::vector<std::uint32_t>(40, 1))).find("damaged"), std::string::npos);
  std::string deep;
  for (int k = 0; k < 100; ++k) deep += NemoText().begin("SnapShot").text();
  EXPECT_NE(text_refusal(deep).find("too deeply"), std::string::npos);
  EXPECT_NE(text_refusal(NemoText().begin("A").end().end().text()).find("never began"), std::string::npos);
}

TEST_F(Nemo, WhatIsWrittenComesBack) {
  auto scene = varied_scene(300, 9);
  std::ranges::fill(scene.bodies.component, Component::other);
  for (const bool long_ids : {false, true}) {
    if (long_ids) scene.bodies.id[0] = 1ULL << 50U;
    for (const bool big_endian : {false, true}) {
      const auto path = folder() / "a.nemo";
      write_snapshot(scene, path, {}, {.big_endian = big_endian});
      const auto back = read_snapshot(path);
      expect_same_bodies(back.bodies, scene.bodies);
      EXPECT_EQ(back.time, scene.time);
    }
  }
}

TEST_F(Nemo, RealFile) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  const auto scene = read_snapshot(real_data() / "nemo" / "plummer128.nemo");
  EXPECT_EQ(scene.bodies.size(), 128U);
  EXPECT_FLOAT_EQ(scene.bodies.mass[127], 1.0F / 128.0F);
}

}  // namespace
}  // namespace orrery::sim
