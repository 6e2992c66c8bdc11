#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>

#include "sim/core/error.h"
#include "sim/snapshots/format.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

template <typename T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

/// Archives as the manual of REBOUND describes them.
class ReboundTest : public SnapshotTest {
 protected:
  static std::string header(const std::string& version) {
    std::string text = "REBOUND Binary File. Version: " + version;
    text.resize(64, '\0');
    return text;
  }
  /// With a number, as before version 5, or with a name.
  static std::string field(int version, std::uint32_t type, const std::string& name,
                           const std::string& data) {
    if (version < 5) return raw(type) + std::string(4, '\xaa') + raw(std::uint64_t{data.size()}) + data;
    return raw(std::uint64_t{name.size() + 1}) + raw(std::uint64_t{data.size()}) + name + '\0' + data;
  }
  /// Two bodies whose numbers tell where they come from.
  static std::string particles(std::size_t record, double first) {
    std::string text;
    for (int body = 0; body < 2; ++body) {
      std::string one;
      for (int k = 0; k < 10; ++k) one += raw(first + 100.0 * body + k);
      one.resize(record, '\x7f');
      text += one;
    }
    return text;
  }
  static std::string end(int version, std::size_t blob) {
    return field(version, 9999, "end", "") + std::string(blob, '\0');
  }
  /// Two snapshots; the second says only what changed.
  static std::string archive(const std::string& name, int version, std::size_t record, std::size_t blob) {
    const auto count = version < 5 ? raw(std::uint32_t{2}) : raw(std::uint64_t{2});
    return header(name) + field(version, 0, "t", raw(1.5)) + field(version, 1, "G", raw(39.5)) +
           field(version, 77, "unknown", "12345") + field(version, 4, "N", count) +
           field(version, 85, "particles", particles(record, 0.0)) + end(version, blob) +
           field(version, 0, "t", raw(2.5)) + field(version, 85, "particles", particles(record, 1000.0)) +
           end(version, blob);
  }
};

TEST_F(ReboundTest, EveryVersionIsRead) {
  struct Case {
    const char* name;
    int version;
    std::size_t record, blob;
  };
  for (const auto& [name, version, record, blob] : {Case{"3.10.2", 3, 128, 8}, Case{"3.28.4", 3, 128, 12},
                                                    Case{"4.4.10", 4, 128, 12}, Case{"5.0.0", 5, 112, 12}}) {
    const auto path = save("a.bin", archive(name, version, record, blob));
    const auto scene = read_snapshot(path);
    ASSERT_EQ(scene.bodies.size(), 2U) << name;
    EXPECT_EQ(scene.bodies.position[1], (Vec3{100, 101, 102}));
    EXPECT_EQ(scene.bodies.velocity[1], (Vec3{103, 104, 105}));
    EXPECT_EQ(scene.bodies.mass[1], 109.0F);
    EXPECT_EQ(scene.time, 1.5);
    EXPECT_EQ(scene.physics.gravitational_constant, 39.5);
    EXPECT_EQ(count_snapshots(path), 2U);
    const auto second = read_snapshot(path, {.snapshot = 1});
    EXPECT_EQ(second.time, 2.5);
    EXPECT_EQ(second.bodies.position[0], (Vec3{1000, 1001, 1002}));
    EXPECT_EQ(second.physics.gravitational_constant, 39.5) << "what did not change is in the first";
  }
}

TEST_F(ReboundTest, UnknownVersionsAreRefusedByName) {
  for (const char* name : {"2.20.1", "6.0.0", "garbage"}) {
    try {
      read_snapshot(save("a.bin", archive(name, 4, 128, 12)));
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("versions 3 to 5 are read"), std::string::npos)
          << error.what();
    }
  }
}

TEST_F(ReboundTest, CutOffInTheSecondSnapshotStillGivesTheFirst) {
  auto text = archive("4.4.10", 4, 128, 12);
  text.resize(text.size() - 40);
  const auto path = save("a.bin", text);
  EXPECT_EQ(count_snapshots(path), 1U);
  EXPECT_EQ(read_snapshot(path).bodies.size(), 2U);
  EXPECT_THROW(read_snapshot(path, {.snapshot = 1}), Error);
}

TEST_F(ReboundTest, CountsThatDoNotFitAreRefused) {
  const auto with_count = [](std::uint32_t count) {
    return header("4.0.0") + field(4, 4, "N", raw(count)) + field(4, 85, "particles", particles(128, 0.0)) +
           end(4, 12);
  };
  EXPECT_NO_THROW(read_snapshot(save("a.bin", with_count(2))));
  for (const std::uint32_t count : {0U, 3U, 7U, 64U, 0xffffffffU})
    EXPECT_THROW(read_snapshot(save("a.bin", with_count(count))), Error) << count;
}

}  // namespace
}  // namespace orrery::sim
