#include "app/window/window_pictures.h"

#include <gtest/gtest.h>

namespace orrery::app {
namespace {

void draw(PictureDetail& detail, int frames, double milliseconds) {
  for (int k = 0; k < frames; ++k) detail.took(milliseconds);
}

TEST(PictureDetail, IsRoughWhereFramesAreSlow) {
  PictureDetail detail;
  EXPECT_FALSE(detail.rough());
  draw(detail, 100, 39.0);
  EXPECT_FALSE(detail.rough());
  draw(detail, 3, 50.0);
  EXPECT_TRUE(detail.rough());
  draw(detail, 100, 3000.0);
  EXPECT_TRUE(detail.rough());
  detail.reset();
  EXPECT_FALSE(detail.rough());
}

TEST(PictureDetail, OneSlowFrameIsNoReason) {
  PictureDetail detail;
  for (int k = 0; k < 20; ++k) {
    draw(detail, 2, 500.0);
    draw(detail, 1, 10.0);
  }
  EXPECT_FALSE(detail.rough());
}

TEST(PictureDetail, IsExactAgainWhereThereIsRoomAndThenStays) {
  PictureDetail detail;
  draw(detail, 3, 50.0);
  // A frame that is just short enough so would be too long otherwise.
  draw(detail, 300, 28.0);
  EXPECT_TRUE(detail.rough());
  draw(detail, 39, 10.0);
  EXPECT_TRUE(detail.rough());
  draw(detail, 1, 10.0);
  EXPECT_FALSE(detail.rough());
  draw(detail, 300, 30.0);
  EXPECT_FALSE(detail.rough());
}

}  // namespace
}  // namespace orrery::app
