#include "app/picture/stellar_populations.h"
#include "app/picture/picture_style.h"
#include "app/picture/star_style.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/picture/display_options.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

sim::Bodies disk_of(std::size_t bodies) {
  return sim::make_galaxy("disk", {.bodies = bodies, .seed = 1}).bodies;
}

/// The part of a disk's bodies between two radii that are drawn as old.
double part_of_old(const sim::Bodies& bodies, float from, float to) {
  const auto drawn = drawn_components(bodies);
  std::size_t all = 0, old = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& x = bodies.position[i];
    const float radius = std::hypot(x.x, x.y);
    if (bodies.component[i] != sim::Component::disk || radius < from || radius > to) continue;
    ++all;
    old += drawn[i] == old_disk ? 1U : 0U;
  }
  return static_cast<double>(old) / static_cast<double>(all);
}

TEST(StarAges, TheMiddleOfADiskIsOldAndItsRimIsYoung) {
  const auto bodies = disk_of(20'000);
  EXPECT_GT(part_of_old(bodies, 0.0F, 0.5F), 0.7);
  EXPECT_NEAR(part_of_old(bodies, 1.5F, 2.0F), 0.25, 0.2);
  EXPECT_LT(part_of_old(bodies, 4.0F, 100.0F), 0.1);
}

TEST(StarAges, ItDoesNotDependOnScaleOrPlace) {
  auto bodies = disk_of(6'000);
  const auto here = drawn_components(bodies);
  for (auto& place : bodies.position) place = {4.0F * place.x + 8.0F, 4.0F * place.y, 4.0F * place.z - 16.0F};
  const auto there = drawn_components(bodies);
  std::size_t different = 0;
  for (std::size_t i = 0; i < here.size(); ++i) different += here[i] != there[i] ? 1U : 0U;
  EXPECT_LE(different, here.size() / 500);
}

/// A grid around both would be too coarse to tell the middle of one from its rim.
TEST(StarAges, TwoGalaxiesFarApartHaveOldMiddlesEach) {
  auto bodies = disk_of(20'000);
  for (std::size_t i = 1; i < bodies.size(); i += 2) bodies.position[i].x += 300.0F;
  EXPECT_GT(part_of_old(bodies, 0.0F, 0.5F), 0.7);
  EXPECT_LT(part_of_old(bodies, 4.0F, 100.0F), 0.1);
  for (auto& place : bodies.position) place.x -= 300.0F;
  EXPECT_GT(part_of_old(bodies, 0.0F, 0.5F), 0.7);
  EXPECT_LT(part_of_old(bodies, 4.0F, 100.0F), 0.1);
}

/// Squares of such places are beyond what a float holds.
TEST(StarAges, PlacesMayBeInMetres) {
  auto bodies = disk_of(6'000);
  const auto here = drawn_components(bodies);
  for (auto& place : bodies.position) place = {1e20F * place.x, 1e20F * place.y, 1e20F * place.z};
  const auto there = drawn_components(bodies);
  EXPECT_NE(std::ranges::count(here, old_disk), 0);
  std::size_t different = 0;
  for (std::size_t i = 0; i < here.size(); ++i) different += here[i] != there[i] ? 1U : 0U;
  EXPECT_LE(different, here.size() / 500);
}

TEST(StarAges, OtherComponentsAndFewBodiesStayWhatTheyAre) {
  const auto bodies = disk_of(6'000);
  const auto drawn = drawn_components(bodies);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (bodies.component[i] != sim::Component::disk) {
      EXPECT_EQ(drawn[i], static_cast<std::uint8_t>(bodies.component[i])) << i;
    }
  }
  const auto few = disk_of(1'000);
  EXPECT_EQ(part_of_old(few, 0.0F, 1e9F), 0.0);
  EXPECT_TRUE(drawn_components({}).empty());
}

TEST(StarAges, PlacesThatAreNoNumbersAreYoung) {
  auto bodies = disk_of(6'000);
  const auto broken = static_cast<std::size_t>(std::ranges::find(bodies.component, sim::Component::disk) -
                                               bodies.component.begin());
  bodies.position[broken].x = std::nanf("");
  EXPECT_EQ(drawn_components(bodies)[broken], static_cast<std::uint8_t>(sim::Component::disk));
}

TEST(StarAges, OldStarsDifferInColourOnly) {
  const auto table = all_options();
  auto configuration = table.defaults();
  constexpr auto disk = static_cast<std::size_t>(sim::Component::disk);
  auto style = body_style(Look(configuration));
  style.component_weight[disk] = 0.7F;
  set_age_style(style, Look(configuration).stars);
  EXPECT_EQ(style.component_weight[old_disk], 0.7F);
  EXPECT_GT(style.palette[old_disk].r / style.palette[old_disk].b, 1.5F);
  configuration.set("star-variation", std::string("1:1:0"));
  set_age_style(style, Look(configuration).stars);
  EXPECT_EQ(style.palette[old_disk], style.palette[disk]);
}

}  // namespace
}  // namespace orrery::app
