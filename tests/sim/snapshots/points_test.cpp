// Quantities of tables that are told by their names: colours, and letters for velocities.
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

using Names = SnapshotTest;

std::string table(std::string_view names, std::string_view rows) {
  return "x,y,z," + std::string(names) + '\n' + std::string(rows);
}

const std::vector<Color> red_green_gray{0xff0000, 0x00ff00, 0x808080};

TEST_F(Names, ColoursAreKept) {
  const auto bytes = read_text(table("red,green,blue", "0,0,0,255,0,0\n1,0,0,0,255,0\n0,1,0,128,128,128\n"));
  EXPECT_EQ(bytes.bodies.color, red_green_gray);
  EXPECT_FALSE(has_note(bytes, "left out"));
}

TEST_F(Names, WhatIsNoColourIsLeftOutWithANote) {
  const auto partial = read_text(table("red,green", "0,0,0,1,2\n1,0,0,3,4\n0,1,0,5,6\n"));
  EXPECT_FALSE(partial.bodies.has_colors());
  EXPECT_TRUE(has_note(partial, "columns ignored: red,green"));
  for (const auto* const value : {"-1", "256", "0.5", "1e300"}) {
    const auto rows = std::string("0,0,0,") + value + ",0,7\n1,0,0,0,0,0\n0,1,0,0,0,0\n";
    const auto scene = read_text(table("red,green,blue", rows));
    EXPECT_FALSE(scene.bodies.has_colors()) << value;
    EXPECT_TRUE(has_note(scene, "no whole numbers from 0 to 255")) << value;
  }
  const auto words = read_text(table("red,green,blue", "0,0,0,none,none,none\n1,0,0,1,2,3\n"));
  EXPECT_FALSE(words.bodies.has_colors());
  EXPECT_TRUE(has_note(words, "left out: red, green, blue"));
}

}  // namespace
}  // namespace orrery::sim
