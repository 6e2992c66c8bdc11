#include "render/effects/dust.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "app/picture/display_options.h"
#include "app/picture/effects/effect.h"
#include "app/picture/stellar_populations.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

class DustOptions : public testing::Test {
 protected:
  void open(const char* model, std::size_t bodies) {
    summary_ = summarize(sim::make_galaxy(model, {.bodies = bodies, .seed = 1}).bodies);
  }
  render::DustStyle dust(const std::string& color_mode = "component") {
    render::BodyStyle style;
    style.color_mode = color_mode;
    auto* effect = pass_->on_bodies(Look(options_), summary_, style);
    return effect != nullptr ? dynamic_cast<render::Dust&>(*effect).style : render::DustStyle();
  }
  void set(const std::string& assignment) { table_.assign(options_, assignment); }

  sim::OptionTable table_ = all_options();
  sim::Configuration options_ = table_.defaults();
  SceneSummary summary_;
  std::unique_ptr<EffectPass> pass_ = (*std::ranges::find(effects(), "dust", &Effect::name))->make_pass();
};

TEST_F(DustOptions, AreInTheDiskOnly) {
  open("disk", 5000);
  EXPECT_GT(dust().cross_section, 0.0F) << "lanes unless they are not wanted";
  set("dust=0");
  EXPECT_EQ(dust().cross_section, 0.0F);
  set("dust=1");
  const auto layer = dust();
  EXPECT_TRUE(layer.carried[static_cast<std::size_t>(sim::Component::disk)]);
  EXPECT_TRUE(layer.carried[old_disk]) << "old stars are disk in all but their colour";
  EXPECT_FALSE(layer.carried[static_cast<std::size_t>(sim::Component::bulge)]);
  EXPECT_FALSE(layer.carried[static_cast<std::size_t>(sim::Component::halo)]);
  // Half of the disk's dust, over the area that holds half of it, has the optical depth that was asked for.
  const double half = 0.5 * static_cast<double>(summary_.disk.bodies) * double{layer.cross_section};
  const double radius = summary_.disk.half_radius;
  EXPECT_NEAR(half / (std::numbers::pi * radius * radius), 1.0, 1e-5);
  EXPECT_NEAR(std::abs(layer.normal.z), 1.0F, 0.02F);
  EXPECT_LT(layer.thickness, 0.3F * static_cast<float>(radius));
  EXPECT_GT(layer.radius, static_cast<float>(radius));
}

TEST_F(DustOptions, RoundScenesHaveNone) {
  set("dust=1");
  open("plummer", 4000);
  EXPECT_EQ(summary_.disk.bodies, 0U);
  EXPECT_EQ(dust().cross_section, 0.0F);
  open("disk", 4000);
  EXPECT_GT(summary_.disk.bodies, 1000U);
}

TEST_F(DustOptions, GalaxiesThatMeetHaveNone) {
  for (const char* model : {"collision", "mice", "antennae", "head-on", "milky-way-andromeda", "square"}) {
    open(model, 6000);
    EXPECT_EQ(summary_.disk.bodies, 0U) << model;
  }
  for (const char* model : {"disk", "steady-disk", "spiral", "ring", "barred"}) {
    open(model, 6000);
    EXPECT_GT(summary_.disk.bodies, 1000U) << model;
  }
}

TEST_F(DustOptions, ColoursThatStandForValuesStay) {
  open("disk", 4000);
  set("dust=1");
  EXPECT_GT(dust().reddening.b, dust().reddening.r);
  const auto gray = dust("speed").reddening;
  EXPECT_EQ(gray.r, gray.g);
  EXPECT_EQ(gray.b, gray.g);
}

}  // namespace
}  // namespace orrery::app
