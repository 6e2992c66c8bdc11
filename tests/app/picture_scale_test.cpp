#include "app/window/picture_scale.h"

#include <gtest/gtest.h>

namespace orrery::app {
namespace {

/// So many frames of which each takes so long at full size, all of it in proportion to the pixels.
void draw(PictureScale& scale, int frames, double full_ms) {
  for (int k = 0; k < frames; ++k) scale.took(full_ms * scale.part() * scale.part());
}

TEST(PictureScale, BeginsWithAllOfTheWindow) {
  const PictureScale scale;
  EXPECT_EQ(scale.part(), 1.0);
  EXPECT_EQ(scale.size_of({1920, 1080}), glm::ivec2(1920, 1080));
}

TEST(PictureScale, GoesDownUntilFramesAreShort) {
  PictureScale scale;
  draw(scale, 100, 80.0);
  EXPECT_STREQ(scale.text(), "2/3");
  EXPECT_EQ(scale.size_of({1920, 1080}), glm::ivec2(1280, 720));
  draw(scale, 100, 150.0);
  EXPECT_STREQ(scale.text(), "1/2");
  draw(scale, 100, 3000.0);
  EXPECT_STREQ(scale.text(), "1/3");
  EXPECT_EQ(scale.size_of({1, 1}), glm::ivec2(1, 1));
}

TEST(PictureScale, GetsRoughBeforeItGetsSmaller) {
  PictureScale scale;
  EXPECT_FALSE(scale.rough());
  draw(scale, 3, 50.0);
  EXPECT_TRUE(scale.rough());
  EXPECT_EQ(scale.part(), 1.0);
  // A frame that is just short enough so would be too long otherwise.
  draw(scale, 300, 28.0);
  EXPECT_TRUE(scale.rough());
  draw(scale, 300, 10.0);
  EXPECT_FALSE(scale.rough());
}

TEST(PictureScale, OneSlowFrameIsNoReason) {
  PictureScale scale;
  for (int k = 0; k < 20; ++k) {
    draw(scale, 2, 500.0);
    draw(scale, 1, 10.0);
  }
  EXPECT_EQ(scale.part(), 1.0);
}

TEST(PictureScale, GoesUpWhereThereIsRoomAndThenStays) {
  PictureScale scale;
  draw(scale, 20, 3000.0);
  draw(scale, 300, 10.0);
  EXPECT_EQ(scale.part(), 1.0);
  // What would just be short enough at the larger size stays small: it would come down again.
  draw(scale, 10, 80.0);
  draw(scale, 300, 38.0);
  EXPECT_STREQ(scale.text(), "2/3");
}

}  // namespace
}  // namespace orrery::app
