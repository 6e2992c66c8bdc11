#include "app/window/dataset_opener.h"

#include <gtest/gtest.h>

namespace orrery::app {
namespace {

TEST(Playlist, GoesAroundInBothDirections) {
  Playlist playlist({"first", "second", "third"}, {.seed = 7});
  ASSERT_EQ(playlist.all().size(), 3U);
  EXPECT_EQ(playlist.all()[2].seed, 7U);
  EXPECT_EQ(playlist.step(1).source, "second");
  EXPECT_EQ(playlist.step(-1).source, "first");
  EXPECT_EQ(playlist.step(-1).source, "third");
  EXPECT_EQ(playlist.step(1).source, "first");
}

TEST(Playlist, WithoutSourcesHoldsWhatIsWanted) {
  const Playlist playlist({}, {.source = "disk", .bodies = 100});
  ASSERT_EQ(playlist.all().size(), 1U);
  EXPECT_EQ(playlist.all().front().source, "disk");
  EXPECT_EQ(playlist.all().front().bodies, 100U);
}

TEST(Playlist, GoesOnFromWhatWasAdded) {
  Playlist playlist({"first"}, {});
  playlist.add({.source = "dropped"});
  playlist.add({.source = "dropped too"});
  EXPECT_EQ(playlist.play(1).source, "dropped");
  EXPECT_EQ(playlist.step(1).source, "dropped too");
  EXPECT_EQ(playlist.step(1).source, "first");
}

TEST(Playlist, GoesOnWithoutTheFilesOfAFolderThatIsGone) {
  Playlist playlist({"first", "/a/one.csv", "third"}, {});
  playlist.add({.source = "/a/two.csv"});
  playlist.play(3);
  playlist.forget("/a");
  ASSERT_EQ(playlist.all().size(), 2U);
  EXPECT_EQ(playlist.step(1).source, "first");
  EXPECT_EQ(playlist.step(1).source, "third");
  Playlist lone({"/a/one.csv"}, {});
  lone.forget("/a");
  EXPECT_EQ(lone.all().size(), 1U);
}

}  // namespace
}  // namespace orrery::app
