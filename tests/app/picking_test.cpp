#include "app/picture/picking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include <vector>

#include "app/picture/scene_summary.h"
#include "lab/setup/dataset.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

constexpr double aspect = 1.5;

/// Galaxies of a grid as the window shows them at first.
struct Grid {
  sim::Bodies bodies;
  SceneSummary summary;
  render::Camera camera;
  std::vector<float> position;

  explicit Grid(std::uint32_t galaxies, std::size_t of_each = 200)
      : bodies(lab::load_dataset({.source = "plummer", .bodies = of_each, .galaxies = galaxies}).bodies),
        summary(summarize(bodies)),
        camera(fitted_camera(summary)) {
    for (const auto& x : bodies.position) position.insert(position.end(), {x.x, x.y, x.z, 1.0F});
  }

  PickScene scene() const { return {position, bodies.galaxy, summary, camera, aspect}; }

  /// Where a point of the world stands in the picture.
  glm::dvec2 cursor_at(glm::dvec3 place) const {
    const glm::dmat4 to_clip(camera.projection(static_cast<float>(aspect)) * camera.view());
    const glm::dvec4 clip = to_clip * glm::dvec4(place, 1.0);
    return glm::dvec2(clip) / clip.w;
  }
  glm::dvec3 center_of(std::uint32_t galaxy) const { return summary.center + summary.grid_offset(galaxy); }
};

TEST(Picking, AClickOnAGalaxyFindsItFromAnySide) {
  Grid grid(7);
  ASSERT_EQ(grid.summary.grid_columns, 3U);
  for (int turn = 0; turn < 3; ++turn) {
    for (std::uint32_t galaxy = 0; galaxy < 7; ++galaxy)
      EXPECT_EQ(galaxy_under(grid.scene(), grid.cursor_at(grid.center_of(galaxy))), galaxy) << turn;
    grid.camera.orbit(0.3, 0.25);
  }
}

TEST(Picking, TheRoomOfAGalaxyCountsWhereItHasNoBodies) {
  const Grid full(4);
  Grid sparse(4);
  // All bodies in the middle of their galaxies: nothing is near a cursor at its edge.
  for (std::size_t i = 0; i < sparse.bodies.size(); ++i) {
    for (int axis = 0; axis < 3; ++axis)
      sparse.position[4 * i + static_cast<std::size_t>(axis)] =
          static_cast<float>(sparse.summary.center[axis]);
  }
  const auto edge = glm::dvec3(0.9 * sparse.summary.radius, 0.0, 0.0);
  for (std::uint32_t galaxy = 0; galaxy < 4; ++galaxy) {
    const auto cursor = sparse.cursor_at(sparse.center_of(galaxy) + edge);
    EXPECT_FALSE(middle_under(sparse.scene(), cursor).has_value());
    EXPECT_EQ(galaxy_under(sparse.scene(), cursor), galaxy);
  }
  const double half = 0.5 * sparse.summary.grid_spacing;
  const auto between = sparse.center_of(0) + glm::dvec3(half, -half, 0.0);
  EXPECT_FALSE(galaxy_under(sparse.scene(), sparse.cursor_at(between)).has_value());
}

TEST(Picking, NothingIsBesideTheGridNorBehindTheCamera) {
  Grid grid(4);
  for (const glm::dvec3& beside :
       {glm::dvec3(-4.0, 0.0, 0.0), {0.0, 4.0, 0.0}, {9.0, 0.0, 0.0}, {0.0, -9.0, 0.0}})
    EXPECT_FALSE(galaxy_under(grid.scene(), grid.cursor_at(grid.center_of(0) + beside * grid.summary.radius))
                     .has_value());
  grid.camera.orbit(0.0, 3.14159265358979);
  grid.camera.target += grid.camera.forward() * 4.0 * grid.camera.distance;
  EXPECT_FALSE(galaxy_under(grid.scene(), {0.0, 0.0}).has_value());
}

TEST(Picking, TheGalaxyWithMoreBodiesThereWins) {
  Grid grid(2);
  // A few bodies of galaxy 0 were thrown into galaxy 1.
  for (std::size_t i = 0; i < 5; ++i)
    grid.position[4 * i] = static_cast<float>(grid.summary.center.x + double{grid.summary.grid_spacing});
  EXPECT_EQ(galaxy_under(grid.scene(), grid.cursor_at(grid.center_of(1))), 1U);
}

TEST(Picking, ExtentIsWhereTheGalaxyIsDrawnNow) {
  Grid grid(3);
  const auto before = extent_of(grid.scene(), 2);
  ASSERT_TRUE(before.has_value());
  EXPECT_LT(glm::length(before->center - grid.center_of(2)), 0.3 * grid.summary.radius);
  EXPECT_NEAR(before->radius, grid.summary.radius, 0.5 * grid.summary.radius);
  // It moves and doubles.
  for (std::size_t i = 400; i < 600; ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) grid.position[4 * i + axis] *= 2.0F;
    grid.position[4 * i] += 5.0F;
  }
  const auto after = extent_of(grid.scene(), 2);
  EXPECT_NEAR(after->radius, 2.0 * before->radius, 1e-4 * before->radius);
  const auto own = before->center - grid.summary.grid_offset(2);
  EXPECT_NEAR(after->center.x, 2.0 * own.x + 5.0 + grid.summary.grid_offset(2).x, 1e-4);
  EXPECT_FALSE(extent_of(grid.scene(), 3).has_value());
}

TEST(Picking, FactsOfGalaxiesAreKnown) {
  const Grid grid(3, 50);
  ASSERT_EQ(grid.summary.each_galaxy.size(), 3U);
  EXPECT_EQ(grid.summary.find_galaxy(2)->bodies, 50U);
  EXPECT_NEAR(grid.summary.find_galaxy(2)->mass, 1.0, 1e-5);
  EXPECT_EQ(grid.summary.find_galaxy(3), nullptr);
  EXPECT_EQ(grid.summary.find_galaxy(-1), nullptr);
  sim::Bodies gaps;
  gaps.resize(3);
  gaps.galaxy = {1, 4'000'000'000U, 4'000'000'000U};
  const auto facts = summarize(gaps).each_galaxy;
  ASSERT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts[1].number, 4'000'000'000U);
  EXPECT_EQ(facts[1].bodies, 2U);
}

constexpr double picture_height = 720.0;
constexpr std::array<float, 8> alike{1, 1, 1, 1, 1, 1, 1, 1};

/// Three bodies near each other in the middle of a sphere, `apart` pixels from one to the next; the others of
/// the smallest sphere that there is are far above the picture.
struct Few : Grid {
  explicit Few(double apart) : Grid(1, 16) {
    const double length =
        apart * 2.0 * camera.distance * std::tan(0.5 * camera.field_of_view) / picture_height;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const auto place = i < 3 ? camera.target + camera.right() * (static_cast<double>(i) * length)
                               : camera.target + camera.up() * (10.0 * camera.distance);
      for (int axis = 0; axis < 3; ++axis)
        position[4 * i + static_cast<std::size_t>(axis)] = static_cast<float>(place[axis]);
    }
    std::ranges::fill(bodies.component, sim::Component::disk);
    bodies.component[1] = sim::Component::halo;
  }
  std::optional<std::size_t> picked(glm::dvec2 pixels, std::span<const float> light = alike) const {
    const glm::dvec2 cursor = pixels * 2.0 / picture_height / glm::dvec2(aspect, 1.0);
    return body_under(scene(), cursor, picture_height, bodies.component, light);
  }
};

TEST(Picking, TheBodyNearestTheCursorIsPicked) {
  const Few few(9.0);
  EXPECT_EQ(few.picked({-1.0, 2.0}), 0U);
  EXPECT_EQ(few.picked({8.0, -2.0}), 1U);
  EXPECT_EQ(few.picked({19.0, 0.0}), 2U);
  EXPECT_EQ(few.picked({18.0, 11.0}), 2U);
  EXPECT_EQ(few.picked({18.0, 14.0}), std::nullopt) << "none within reach";
}

TEST(Picking, ABrighterBodyIsEasierToHitAndHidesNoFaintOne) {
  const Few few(6.0);
  auto light = alike;
  light[static_cast<std::size_t>(sim::Component::halo)] = 1e6F;
  EXPECT_EQ(few.picked({2.0, 0.0}), 0U);
  EXPECT_EQ(few.picked({2.0, 0.0}, light), 1U);
  EXPECT_EQ(few.picked({0.0, 0.0}, light), 0U) << "the cursor is on it";
}

TEST(Picking, WhatIsNotSeenIsNotMeant) {
  const Few few(6.0);
  auto light = alike;
  light[static_cast<std::size_t>(sim::Component::halo)] = 0.0F;
  EXPECT_NE(few.picked({6.0, 0.0}, light), 1U);
  EXPECT_TRUE(few.picked({6.0, 0.0}, light).has_value());
}

TEST(Picking, ARingStandsWhereTheBodyIs) {
  const Grid grid(1);
  const auto place = grid.camera.target + 0.3 * grid.camera.up();
  const auto at = place_in_picture(grid.camera, aspect, place);
  ASSERT_TRUE(at);
  EXPECT_NEAR(glm::distance(*at, grid.cursor_at(place)), 0.0, 1e-6);
  EXPECT_FALSE(place_in_picture(grid.camera, aspect, grid.camera.position() - grid.camera.forward()));
}

}  // namespace
}  // namespace orrery::app
