#include "app/picture/scene_summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "lab/setup/dataset.h"

namespace orrery::app {
namespace {

TEST(SceneSummary, FitsNinetyFivePercentAroundTheMedian) {
  sim::Bodies bodies;
  bodies.resize(1000);
  for (std::size_t i = 0; i < 1000; ++i) {
    const auto angle = static_cast<float>(i);
    bodies.position[i] = {5.0F + std::cos(angle), std::sin(angle), 2.0F};
    bodies.mass[i] = 1.0F;
  }
  bodies.position[0] = {1e6F, 0, 0};
  const auto summary = summarize(bodies);
  EXPECT_NEAR(summary.center.x, 5.0, 0.1);
  EXPECT_NEAR(summary.center.z, 2.0, 1e-6);
  EXPECT_NEAR(summary.radius, 1.0, 0.1);
  const auto camera = fitted_camera(summary);
  EXPECT_GT(camera.distance, 1.0);
  EXPECT_LT(camera.distance, 10.0);
  EXPECT_TRUE(std::isfinite(automatic_exposure(summary)));
}

TEST(SceneSummary, LegendsOfChargesSayTheirSigns) {
  constexpr auto star = static_cast<std::size_t>(sim::Component::star);
  constexpr auto gas = static_cast<std::size_t>(sim::Component::gas);
  auto bodies = lab::load_dataset({.source = "charges", .bodies = 50}).bodies;
  EXPECT_EQ(summarize(bodies).component_labels.at(star), "positive charges");
  EXPECT_EQ(summarize(bodies).component_labels.at(gas), "negative charges");
  const auto first_star =
      std::ranges::find(bodies.component, sim::Component::star) - bodies.component.begin();
  bodies.charge.at(static_cast<std::size_t>(first_star)) = -1.0F;
  EXPECT_EQ(summarize(bodies).component_labels.at(star), "star") << "both signs";
  std::ranges::fill(bodies.charge, 0.0F);
  EXPECT_EQ(summarize(bodies).component_labels.at(gas), "gas");
}

/// Otherwise bodies at rest would be as blue as those that come nearest fastest.
TEST(SceneSummary, WhereAllAreZeroASignedQuantityIsInTheMiddleOfItsRange) {
  const auto ranges = color_ranges(lab::load_dataset({.source = "square", .bodies = 50}).bodies);
  for (const char* mode : {"charge", "line-of-sight"})
    EXPECT_EQ(ranges.at(mode), std::pair(-1.0F, 1.0F)) << mode;
}

TEST(SceneSummary, OneBodyAndManyGalaxiesHaveAView) {
  sim::Bodies one;
  one.resize(1);
  EXPECT_TRUE(std::isfinite(fitted_camera(summarize(one)).distance));
  const auto nine = summarize(lab::load_dataset({.source = "plummer", .bodies = 50, .galaxies = 9}).bodies);
  EXPECT_EQ(nine.grid_columns, 3U);
  EXPECT_GT(nine.grid_spacing, nine.radius);
  EXPECT_GT(nine.view_radius(), 2.0 * nine.radius);
}

}  // namespace
}  // namespace orrery::app
