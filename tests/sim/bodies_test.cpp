#include "sim/bodies.h"

#include <gtest/gtest.h>

#include "sim/error.h"

namespace orrery::sim {
namespace {

TEST(Bodies, ResizeGivesDocumentedDefaults) {
  Bodies bodies;
  bodies.resize(3);
  EXPECT_EQ(bodies.id[2], 2U);
  EXPECT_EQ(bodies.component[1], Component::other);
  EXPECT_EQ(bodies.mass[0], 0.0F);
}

TEST(Bodies, GalaxiesAreContiguousRanges) {
  Bodies bodies;
  bodies.resize(5);
  bodies.galaxy = {0, 0, 1, 1, 1};
  const std::vector<GalaxyRange> expected{{0, 2}, {2, 5}};
  EXPECT_EQ(bodies.galaxies(), expected);
  EXPECT_EQ(interactions_per_evaluation(bodies.galaxies()), 4.0 + 9.0);
}

TEST(Bodies, DecreasingGalaxyNumbersAreRefused) {
  Bodies bodies;
  bodies.resize(2);
  bodies.galaxy = {1, 0};
  EXPECT_THROW(bodies.galaxies(), Error);
}

TEST(Bodies, RepeatedGalaxiesAreNumberedAndGetUniqueIds) {
  Bodies one;
  one.resize(2);
  const Bodies three = repeat_galaxies(one, 3);
  EXPECT_EQ(three.galaxy, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(three.id, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(Bodies, ComponentNamesRoundTrip) {
  for (std::size_t i = 0; i < component_count; ++i) {
    const auto component = static_cast<Component>(i);
    EXPECT_EQ(component_from_name(component_name(component)), component);
  }
  EXPECT_FALSE(component_from_name("quasar").has_value());
}

}  // namespace
}  // namespace orrery::sim
