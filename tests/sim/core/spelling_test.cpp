#include "sim/core/spelling.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sim/core/counted.h"
#include "tests/temporary_folder.h"

namespace orrery::sim {
namespace {

using Names = std::vector<std::string>;

TEST(Spelling, DistancesAreKnown) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("bodeis", "bodies"), 1U) << "two letters swapped";
  EXPECT_EQ(edit_distance("ca", "abc"), 3U) << "each letter at most once";
  EXPECT_EQ(edit_distance("flaw", "lawn"), edit_distance("lawn", "flaw"));
}

TEST(Spelling, TheNearestNameIsTheOneThatWasMeant) {
  const Names names{"render", "view", "make", "figure-eight", "kernel", "kernels"};
  EXPECT_EQ(nearest_name("rendr", names), "render");
  EXPECT_EQ(nearest_name("mkae", names), "make");
  EXPECT_EQ(nearest_name("VIEW", names), "view") << "upper and lower case are alike";
  EXPECT_EQ(nearest_name("kernels", names), "kernels") << "the nearest, not the first near one";
  EXPECT_EQ(nearest_name("figure", names), "figure-eight") << "cut short";
  EXPECT_EQ(nearest_name("figure_eihgt", names), "figure-eight");
}

TEST(Spelling, WhatIsFarIsNotProposed) {
  const Names names{"render", "view", "tile", "tiled", "tiled-2d"};
  for (const char* far : {"", "x", "nope", "sweep", "re", "vx", "plummer"})
    EXPECT_EQ(nearest_name(far, names), "");
  EXPECT_EQ(nearest_name(std::string(100'000, 'a'), names), "");
  EXPECT_EQ(nearest_name("ti", {"tile", "tiled"}), "");
  EXPECT_EQ(nearest_name("abc", {"abcdefg", "abcdhij"}), "") << "two go on so";
  EXPECT_EQ(did_you_mean("nope", names), "");
  EXPECT_EQ(did_you_mean("veiw", names), "; did you mean 'view'?");
}

TEST(Spelling, FilesAreLookedForInTheirFolder) {
  const test::TemporaryFolder folder;
  for (const char* name : {"galaxy.csv", "galaxy.bin", "other.txt"}) std::ofstream(folder / name) << "x";
  EXPECT_EQ(nearest_file(folder / "galxy.csv"), folder / "galaxy.csv");
  EXPECT_EQ(nearest_file(folder / "GALAXY.BIN"), folder / "galaxy.bin");
  EXPECT_EQ(nearest_file(folder / "nothing.like.it"), "");
  EXPECT_EQ(nearest_file(folder / "absent" / "galaxy.csv"), "");
}

TEST(Counted, OneIsNotSeveral) {
  EXPECT_EQ(counted(0, "galaxy", "galaxies"), "0 galaxies");
  EXPECT_EQ(counted(1U, "galaxy", "galaxies"), "1 galaxy");
  EXPECT_EQ(counted(20'000U, "body", "bodies"), "20000 bodies");
}

}  // namespace
}  // namespace orrery::sim
