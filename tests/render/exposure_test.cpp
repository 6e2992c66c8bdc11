#include "render/light/exposure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "render/context/shader_constants.h"

namespace orrery::render {
namespace {

using Curve = ToneStyle::Curve;

std::size_t bin_of(double stops) {
  return static_cast<std::size_t>((stops - shared::meter_lowest) * shared::meter_bins_per_stop);
}

std::vector<std::uint32_t> empty_histogram() {
  return std::vector<std::uint32_t>(static_cast<std::size_t>(shared::meter_bins));
}

/// An exponential disk: light e^-r in rings of pixels.
std::vector<std::uint32_t> disk_histogram(double stops, double pixels) {
  auto histogram = empty_histogram();
  for (double r = 0.005; r < 12.0; r += 0.01)
    histogram[bin_of(stops - r * std::log2(std::exp(1.0)))] += static_cast<std::uint32_t>(pixels * r);
  return histogram;
}

TEST(ExposureLevels, AreThoseOfAnExponentialDisk) {
  const auto levels = light_levels(disk_histogram(3.0, 1e6));
  ASSERT_TRUE(levels);
  // The light at r is r e^-r: r has the mean 2 and the variance 2.
  const double nat = std::log2(std::exp(1.0));
  EXPECT_NEAR(levels->middle, 3.0 - (2.0 + 0.3 * std::sqrt(2.0)) * nat, 0.03);
  EXPECT_NEAR(levels->bright, 3.0 - (2.0 - 1.5 * std::sqrt(2.0)) * nat, 0.03);
}

TEST(ExposureLevels, FollowTheLightAndNotThePixelsNorEmptySky) {
  const auto one = *light_levels(disk_histogram(0.0, 1e3));
  const auto more_pixels = *light_levels(disk_histogram(0.0, 1e6));
  const auto brighter = *light_levels(disk_histogram(5.0, 1e3));
  EXPECT_NEAR(one.middle, more_pixels.middle, 0.02);
  EXPECT_NEAR(brighter.middle - one.middle, 5.0, 0.02);
  EXPECT_NEAR(brighter.bright - one.bright, 5.0, 0.02);
  auto with_sky = disk_histogram(0.0, 1e3);
  with_sky[bin_of(-25.0)] += 1'000'000;
  EXPECT_NEAR(light_levels(with_sky)->middle, one.middle, 0.02);
  EXPECT_FALSE(light_levels(empty_histogram()));
}

TEST(ExposureLevels, MoveSmoothlyWithTheLight) {
  auto last = light_levels(disk_histogram(0.0, 1e6))->middle;
  for (double stops = 0.005; stops < 0.5; stops += 0.005) {
    const auto now = light_levels(disk_histogram(stops, 1e6))->middle;
    EXPECT_GE(now, last - 1e-3);
    EXPECT_LT(now - last, 0.01);
    last = now;
  }
}

/// As shaders/tone_asinh.glsl stretches, before its knee.
double brightness(const ToneStyle& style, double light) {
  const double exposed = light * std::exp2(style.exposure_stops);
  return std::asinh(style.softening * exposed) / std::asinh(style.softening);
}

TEST(Exposure, ShowsTheMiddleAtHalfAndTheBrightWhite) {
  for (const double middle : {-20.0, -3.0, 0.0, 14.0}) {
    for (const double range : {1.2, 2.0, 3.5}) {
      ToneStyle style{.curve = Curve::asinh};
      expose(style, {middle, middle + range});
      EXPECT_NEAR(brightness(style, std::exp2(middle)), 0.5, 0.01);
      EXPECT_NEAR(brightness(style, std::exp2(middle + range)), 1.0, 0.01);
    }
    ToneStyle style{.curve = Curve::asinh};
    expose(style, {middle, middle + 9.0});
    EXPECT_NEAR(brightness(style, std::exp2(middle)), 0.5, 0.01) << "a bright point does not darken the rest";
    expose(style = {.curve = Curve::asinh}, {middle, middle});
    EXPECT_NEAR(brightness(style, std::exp2(middle)), 0.5, 0.01) << "one brightness does not become white";
  }
}

TEST(Exposure, OtherCurvesShowTheMiddleAlikeAndStopsAreAdded) {
  ToneStyle linear{.exposure_stops = 2.0F, .curve = Curve::linear};
  expose(linear, {-5.0, 0.0});
  EXPECT_NEAR(linear.exposure_stops, 2.0 + 5.0 + std::log2(0.218), 1e-5);
  ToneStyle film{.curve = Curve::exponential};
  expose(film, {-5.0, 0.0});
  EXPECT_NEAR(-std::expm1(-std::exp2(film.exposure_stops - 5.0)), 0.218, 0.01);
}

TEST(ExposureSmoother, ReachesWhatIsWantedWithoutOvershootAndRests) {
  ExposureSmoother follower;
  EXPECT_FALSE(follower.levels());
  follower.want({1.0, 2.0});
  EXPECT_EQ(follower.levels()->middle, 1.0) << "the first one at once";
  EXPECT_TRUE(follower.settled());
  follower.want({2.0, 4.0});
  double last = 1.0;
  for (int frame = 0; frame < 200 && !follower.settled(); ++frame) {
    follower.follow(1.0 / 60.0);
    EXPECT_GE(follower.levels()->middle, last);
    EXPECT_LE(follower.levels()->middle - last, 0.08);
    last = follower.levels()->middle;
  }
  EXPECT_TRUE(follower.settled());
  EXPECT_EQ(*follower.levels(), (ExposureLevels{2.0, 4.0}));
}

TEST(ExposureSmoother, NoiseDoesNotFlickerAndAnotherPictureIsTakenAtOnce) {
  ExposureSmoother follower;
  follower.want({0.0, 1.0});
  for (int frame = 0; frame < 100; ++frame) {
    follower.want({frame % 2 == 0 ? 0.015 : -0.015, 1.0});
    follower.follow(1.0 / 60.0);
    EXPECT_EQ(follower.levels()->middle, 0.0);
  }
  follower.want({8.0, 9.0});
  EXPECT_EQ(follower.levels()->middle, 8.0);
}

}  // namespace
}  // namespace orrery::render
