#include <algorithm>
#include <random>

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

/// Reads bytes that may be damaged: the result is a scene that makes sense or one line that says why not.
class Damage : public SnapshotTest {
 protected:
  enum class Outcome { read, refused };
  Outcome try_to_read(std::string_view content) const {
    const auto path = save("damaged", content);
    try {
      const Scene scene = read_snapshot(path);
      EXPECT_FALSE(scene.bodies.empty());
      EXPECT_NO_THROW(scene.bodies.galaxies());
      return Outcome::read;
    } catch (const Error& error) {
      EXPECT_TRUE(is_one_short_line(error.what())) << error.what();
      return Outcome::refused;
    }
  }
};

/// Small files of all kinds, made here so that these tests never skip.
std::vector<std::string> small_files(const std::filesystem::path& folder) {
  Scene scene = varied_scene(12, 4);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    scene.bodies.color.push_back(static_cast<Color>(65793 * i));
  std::vector<std::string> contents;
  for (const auto* const name : {"a.tipsy", "a.std", "a.csv", "a.bin", "a.vtp", "a.gad", "a.nemo"}) {
    write_snapshot(scene, folder / name);
    contents.push_back(content_of(folder / name));
  }
  contents.emplace_back("2\nframe\nS 1 2 3\nS 4 5 6 7 8 9\n");
  contents.emplace_back("# x, y, vx, vy, m\n0.234f, 0.567f, , ,\n, .5, 1, 2.f, 3e0f\n");
  contents.emplace_back("0\n2\n0.5\n1 0.5 1 2 3 4 5 6\n2 0.5 -1 2 3 4 5 6\n");
  contents.emplace_back("#x\ty\tz\tvx\tvy\tvz\tmass\n1\t2\t3\t4\t5\t6\t.5\n1\t2\t4\t4\t5\t6\t.5\n");
  return contents;
}

/// A part of such a file can be a whole one: rows of a table, blocks of Gadget's.
bool may_be_whole_in_part(std::string_view content) {
  using namespace std::string_view_literals;
  return content.find('\0') == std::string_view::npos || content.starts_with("\x08\0\0\0HEAD"sv) ||
         content.starts_with("\0\0\0\x08HEAD"sv) || content.starts_with("\0\1\0\0"sv) ||
         content.starts_with("\0\0\1\0"sv);
}

TEST_F(Damage, EveryPrefixOfSmallFiles) {
  for (const auto& content : small_files(folder())) {
    for (std::size_t size = 1; size < content.size(); ++size) {
      const auto outcome = try_to_read(std::string_view(content).substr(0, size));
      EXPECT_TRUE(may_be_whole_in_part(content) || outcome == Outcome::refused) << size;
    }
  }
}

TEST_F(Damage, EveryPrefixOfReferenceFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  for (const auto& path : real_snapshots()) {
    const auto content = content_of(path);
    const std::size_t step = content.size() < 2000 ? 1 : content.size() / 41 + 1;
    for (std::size_t size = 1; size < content.size(); size += step) {
      const auto outcome = try_to_read(std::string_view(content).substr(0, size));
      EXPECT_TRUE(may_be_whole_in_part(content) || outcome == Outcome::refused) << path << ' ' << size;
    }
  }
}

TEST_F(Damage, RandomBytesInSmallFiles) {
  std::mt19937_64 random(20250101);
  for (const auto& content : small_files(folder())) {
    for (int trial = 0; trial < 700; ++trial) {
      auto damaged = content;
      const auto changes = 1 + random() % 4;
      for (std::uint64_t k = 0; k < changes; ++k) {
        // Often in the beginning, where the headers are.
        const auto range = random() % 2 == 0 ? std::min<std::size_t>(64, damaged.size()) : damaged.size();
        damaged[random() % range] = static_cast<char>(random());
      }
      try_to_read(damaged);
    }
  }
}

TEST_F(Damage, TextOfRandomPieces) {
  std::mt19937_64 random(7);
  const std::vector<std::string> pieces{
      "1",   "-2.5", ",",  ";",  " ",    "\t",           "\n",    "\r\n",    "#",       "%",         "//",
      "nan", "x",    "y",  "z",  "mass", "vx",           "id",    "time",    "galaxy",  "component", "1e400",
      "D",   "f",    "\"", "-1", "3",    "\xef\xbb\xbf", "time=", "x,y,z\n", "1 2 3\n", "halo"};
  for (int trial = 0; trial < 6000; ++trial) {
    std::string text;
    const auto length = 1 + random() % 40;
    for (std::uint64_t k = 0; k < length; ++k) text += pieces[random() % pieces.size()];
    try_to_read(text);
  }
}

TEST_F(Damage, RandomBytesInRealFiles) {
  if (real_data().empty()) GTEST_SKIP() << "the real data files are not here";
  std::mt19937_64 random(99);
  for (const auto& path : real_snapshots()) {
    const auto content = content_of(path);
    for (int trial = 0; trial < 10; ++trial) {
      auto damaged = content;
      damaged[random() % std::min<std::size_t>(100, damaged.size())] = static_cast<char>(random());
      damaged[random() % damaged.size()] = static_cast<char>(random());
      try_to_read(damaged);
    }
  }
}

TEST_F(Damage, RandomBytesAlone) {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 1000; ++trial) {
    std::string bytes(1 + random() % 300, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(random());
    try_to_read(bytes);
  }
}

}  // namespace
}  // namespace orrery::sim
