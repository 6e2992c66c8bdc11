#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/picture/display_options.h"
#include "app/picture/painter.h"
#include "app/picture/picture_style.h"
#include "app/picture/trail_style.h"
#include "lab/setup/starting_options.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

class Trails : public testing::Test {
 protected:
  void set(const std::string& assignment) { table_.assign(configuration_, assignment); }
  std::vector<std::uint32_t> followed(std::size_t bodies) const {
    return trail_plan(Look(configuration_).trails, bodies).bodies;
  }

  sim::OptionTable table_ = all_options();
  sim::Configuration configuration_ = table_.defaults();
};

TEST_F(Trails, SmallScenesHaveThemByThemselves) {
  EXPECT_EQ(followed(99).size(), 99U);
  EXPECT_TRUE(followed(100).empty());
  set("trails=off");
  EXPECT_TRUE(followed(3).empty());
  set("trails=all");
  EXPECT_EQ(followed(500).size(), 500U);
  EXPECT_EQ(followed(5000).size(), 1000U) << "at most";
}

TEST_F(Trails, ASampleIsAlwaysTheSame) {
  set("trails=sample:200");
  const auto one = followed(10'000);
  EXPECT_EQ(one.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(one));
  EXPECT_EQ(std::ranges::adjacent_find(one), one.end()) << "each once";
  EXPECT_EQ(one, followed(10'000));
  // Spread over all of them: quarters hold 50 each, with a standard deviation of 6.
  for (std::uint32_t quarter = 0; quarter < 4; ++quarter)
    EXPECT_NEAR(static_cast<double>(std::ranges::count_if(one, [&](auto i) { return i / 2500 == quarter; })),
                50, 24);
  EXPECT_EQ(followed(200), followed(200));
  EXPECT_EQ(followed(150).size(), 150U) << "no more than there are";
}

TEST_F(Trails, ARangeEndsWithTheBodies) {
  set("trails=range:7:3");
  EXPECT_EQ(followed(100), (std::vector<std::uint32_t>{7, 8, 9}));
  EXPECT_EQ(followed(8), (std::vector<std::uint32_t>{7}));
  EXPECT_TRUE(followed(7).empty());
}

TEST_F(Trails, TheFrameIsABodyThatThereIs) {
  set("trail-frame=body:2");
  EXPECT_EQ(trail_plan(Look(configuration_).trails, 3).origin, render::TrailOrigin::body);
  EXPECT_EQ(trail_plan(Look(configuration_).trails, 3).origin_body, 2U);
  EXPECT_EQ(trail_plan(Look(configuration_).trails, 2).origin, render::TrailOrigin::dataset);
  set("trail-frame=center-of-mass");
  EXPECT_EQ(trail_plan(Look(configuration_).trails, 2).origin, render::TrailOrigin::center_of_mass);
}

TEST_F(Trails, OptionsReachTheStyle) {
  for (const char* text : {"trail-look=3:2:0.5", "trail-length=99:7"}) set(text);
  const auto before = trail_style(Look(table_.defaults()).trails),
             style = trail_style(Look(configuration_).trails);
  EXPECT_EQ(style.width_px, 3.0F);
  EXPECT_FLOAT_EQ(style.light, 2.0F * before.light);
  EXPECT_EQ(style.fading, 0.5F);
  EXPECT_EQ(style.fade_time, 7.0F);
  EXPECT_EQ(trail_plan(Look(configuration_).trails, 3).rows, 99U);
  EXPECT_LT(ellipse_style(Look(configuration_).trails).light, style.light);
  EXPECT_EQ(ellipse_style(Look(configuration_).trails).fading, 0.0F);
}

TEST_F(Trails, PlacesAreAsFarApartAsFramesOfAWindow) {
  set("time-step=0.001");
  set("speed=1.2");
  EXPECT_EQ(steps_between_places(configuration_), 20U);
  set("speed=0");
  EXPECT_EQ(steps_between_places(configuration_), 1U) << "every step";
  set("speed=1e30");
  EXPECT_GT(steps_between_places(configuration_), 1'000'000U);
}

TEST_F(Trails, DiscsAreReadableOrTrue) {
  const auto scene = sim::make_galaxy("solar-system", {});
  lab::apply_scene(configuration_, scene);
  const auto radii = [&](const char* assignment) {
    set(assignment);
    auto style = body_style(Look(configuration_));
    set_disc_sizes(style, Look(configuration_).trails, scene.radii, 0.0F);
    return style;
  };
  const auto readable = radii("body-sizes=readable");
  ASSERT_EQ(readable.radii.size(), 10U);
  EXPECT_FALSE(readable.radii_are_lengths);
  EXPECT_GT(readable.radii[0], readable.radii[5]) << "the Sun is larger than Jupiter";
  EXPECT_GT(readable.radii[5], readable.radii[3]);
  EXPECT_LT(readable.radii[0], 4.0F * readable.radii[9]) << "and all can be seen";
  const auto true_sizes = radii("body-sizes=true");
  EXPECT_TRUE(true_sizes.radii_are_lengths);
  EXPECT_NEAR(true_sizes.radii[0] / true_sizes.radii[3], 109.2, 0.1);
  EXPECT_TRUE(radii("body-sizes=sprites").radii.empty());
}

TEST_F(Trails, SmallScenesColourEachBody) {
  SceneSummary summary{.bodies = 99};
  EXPECT_EQ(color_mode_of(Look(configuration_), summary).name, "body");
  summary.bodies = 100;
  EXPECT_EQ(color_mode_of(Look(configuration_), summary).name, "component");
  set("color-mode=speed");
  summary.bodies = 3;
  EXPECT_EQ(color_mode_of(Look(configuration_), summary).name, "speed");
}

}  // namespace
}  // namespace orrery::app
