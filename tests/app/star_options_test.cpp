#include "app/picture/picture_style.h"
#include "app/picture/star_style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "app/picture/display_options.h"
#include "app/picture/look_settings.h"
#include "lab/setup/starting_options.h"

namespace orrery::app {
namespace {

using sim::Component;

class StarOptionsTest : public testing::Test {
 protected:
  render::BodyStyle style(const SceneSummary& summary,
                          const std::vector<std::string>& assignments = {}) const {
    auto configuration = table_.defaults();
    lab::apply_assignments(table_, configuration, with_looks(assignments));
    auto made = body_style(Look(configuration));
    set_star_style(made, Look(configuration).stars, summary);
    return made;
  }
  static float weight(const render::BodyStyle& style, Component component) {
    return style.component_weight.at(static_cast<std::size_t>(component));
  }

 private:
  sim::OptionTable table_ = all_options();
};

SceneSummary summary_of(std::initializer_list<std::tuple<Component, std::size_t, double>> components) {
  SceneSummary summary;
  for (const auto& [component, bodies, mass] : components) {
    summary.bodies += bodies;
    summary.components.at(static_cast<std::size_t>(component)) = bodies;
    summary.component_mass.at(static_cast<std::size_t>(component)) = mass;
  }
  return summary;
}

TEST_F(StarOptionsTest, PopulationsGiveTheLightOfTheirMassAndAge) {
  const auto summary =
      summary_of({{Component::halo, 500, 20.0}, {Component::disk, 1500, 4.0}, {Component::bulge, 500, 1.0}});
  const auto made = style(summary);
  EXPECT_EQ(weight(made, Component::halo), 0.0F);
  // Of a mass of 4 with M/L 1 and of 1 with M/L 4, by as many bodies.
  EXPECT_NEAR(weight(made, Component::disk) * 1500.0F / (weight(made, Component::bulge) * 500.0F), 16.0F,
              1e-3F);
  EXPECT_NEAR(weight(made, Component::disk) * 1500.0F + weight(made, Component::bulge) * 500.0F, 2000.0F,
              0.1F);
  EXPECT_EQ(weight(style(summary, {"starlight=equal"}), Component::halo), 1.0F);
  EXPECT_EQ(weight(style(summary, {"show=halo,bulge"}), Component::disk), 0.0F);
}

TEST_F(StarOptionsTest, OneHeavyBodyDoesNotOutshineAllOthers) {
  const auto light = [&](const SceneSummary& summary, Component component) {
    return weight(style(summary), component);
  };
  const auto disc = summary_of({{Component::gas, 300, 0.003}, {Component::star, 1, 1.0}});
  EXPECT_GT(light(disc, Component::gas), 0.5F);
  EXPECT_GT(light(disc, Component::star), light(disc, Component::gas));
  EXPECT_LE(light(disc, Component::star), 10.01F * light(disc, Component::gas)) << "seen beside each other";
  EXPECT_NEAR(light(disc, Component::gas) * 300.0F + light(disc, Component::star), 301.0F, 0.1F);
  const auto holes = summary_of({{Component::star, 5000, 1.0}, {Component::other, 2, 50.0}});
  EXPECT_GT(light(holes, Component::star), 0.5F);
  const auto dust = summary_of({{Component::star, 300, 1.0}, {Component::gas, 50, 1e-8}});
  EXPECT_GT(light(dust, Component::gas), 0.01F);
  const auto tracers = summary_of({{Component::star, 1, 1.0}, {Component::gas, 300, 0.0}});
  EXPECT_GT(light(tracers, Component::gas), 0.5F);
}

TEST_F(StarOptionsTest, AHaloAloneShines) {
  const auto made = style(summary_of({{Component::halo, 500, 20.0}}));
  EXPECT_EQ(weight(made, Component::halo), 1.0F);
}

TEST_F(StarOptionsTest, BodiesWithoutMassShine) {
  EXPECT_EQ(weight(style(summary_of({{Component::star, 500, 0.0}})), Component::star), 1.0F);
}

TEST_F(StarOptionsTest, FewBodiesAreAllAlike) {
  const auto made = style(summary_of({{Component::star, 99, 1.0}}));
  EXPECT_EQ(made.star_spread[4].light, 0.0F);
  EXPECT_EQ(made.spread_share, 0.0F);
  EXPECT_GT(style(summary_of({{Component::star, 100, 1.0}})).star_spread[4].light, 0.0F);
}

TEST_F(StarOptionsTest, TheGlowOfFewLuminousBodiesIsGentle) {
  const auto share = [&](std::size_t stars, std::size_t halo) {
    return style(summary_of({{Component::star, stars, 1.0}, {Component::halo, halo, 10.0}})).spread_share;
  };
  EXPECT_EQ(share(999, 0), 0.0F);
  EXPECT_GT(share(1000, 0), 0.0F);
  // What is dark does not count.
  EXPECT_EQ(share(999, 100'000), 0.0F);
  EXPECT_EQ(share(3000, 100'000), share(3000, 0));
  EXPECT_LT(share(1000, 0), 0.1F);
  EXPECT_LT(share(3000, 0), 0.3F);
  for (const std::size_t stars : {1'500U, 3'000U, 6'000U, 12'000U, 24'000U})
    EXPECT_GT(share(2 * stars, 0), share(stars, 0)) << stars;
  EXPECT_FLOAT_EQ(share(100'000, 0), 0.75F);
}

TEST_F(StarOptionsTest, FewBodiesShareTheirLightWithManyOthers) {
  const auto neighbours = [&](std::size_t stars, const std::string& sizes = "sizes=adaptive") {
    return style(summary_of({{Component::star, stars, 1.0}}), {sizes}).spread_neighbours;
  };
  EXPECT_FLOAT_EQ(neighbours(400'000), 100.0F);
  EXPECT_FLOAT_EQ(neighbours(4'000'000), 100.0F);
  EXPECT_FLOAT_EQ(neighbours(100'000), 200.0F);
  EXPECT_FLOAT_EQ(neighbours(100'000, "sizes=adaptive:0.75:9"), 18.0F);
  EXPECT_FLOAT_EQ(neighbours(3'000), 300.0F) << "a tenth of all";
}

TEST_F(StarOptionsTest, GalaxiesOfAGridCountEachByItself) {
  auto grid = summary_of({{Component::star, 50'000, 1.0}});
  grid.galaxies = 100;
  EXPECT_EQ(style(grid).spread_share, 0.0F);
  EXPECT_FLOAT_EQ(style(grid).spread_neighbours, 50.0F);
}

TEST_F(StarOptionsTest, SizesAreWhatIsAsked) {
  const auto many = summary_of({{Component::star, 100'000, 1.0}});
  EXPECT_EQ(style(many, {"sizes=adaptive:0.5"}).spread_share, 0.5F);
  EXPECT_EQ(style(many, {"sizes=fixed"}).spread_share, 0.0F);
  const auto few = summary_of({{Component::star, 300, 1.0}});
  EXPECT_GT(style(few).size_px, 1.3F * style(few, {"sizes=fixed"}).size_px);
  EXPECT_EQ(style(many).size_px, style(many, {"sizes=fixed"}).size_px);
}

TEST_F(StarOptionsTest, OtherBodiesAreWhite) {
  const auto white = style(summary_of({{Component::other, 500, 1.0}})).palette[5];
  EXPECT_LT(std::max({white.r, white.g, white.b}), 1.3F * std::min({white.r, white.g, white.b}));
  EXPECT_GE(white.r, white.g);
}

TEST_F(StarOptionsTest, TheScientificLookDrawsAllBodiesAlike) {
  const auto made =
      style(summary_of({{Component::halo, 500, 20.0}, {Component::disk, 1500, 4.0}}), {"look=scientific"});
  EXPECT_EQ(made.spread_share, 0.0F);
  EXPECT_EQ(weight(made, Component::halo), 1.0F);
  EXPECT_EQ(made.star_spread[2].light, 0.0F);
  EXPECT_EQ(made.star_spread[2].color, 0.0F);
}

}  // namespace
}  // namespace orrery::app
