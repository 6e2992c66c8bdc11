#include "sim/bodies/bodies.h"

#include <gtest/gtest.h>

#include "sim/core/error.h"
#include "sim/engines/packed_bodies.h"

namespace orrery::sim {
namespace {

TEST(PackedBodies, ComeBackAsTheyWere) {
  Bodies bodies;
  bodies.resize(3);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto k = static_cast<float>(i);
    bodies.position[i] = {k, k + 0.25F, -k};
    bodies.velocity[i] = {10.0F + k, 20.0F, 30.0F - k};
    bodies.mass[i] = 0.5F + k;
    bodies.charge[i] = -1.0F - k;
  }
  std::vector<float> packed(24);
  pack_bodies(bodies, true, packed.data(), packed.data() + 12);
  EXPECT_EQ(packed[7], 1.5F) << "the mass";
  EXPECT_EQ(packed[12 + 11], -3.0F) << "the charge";
  Bodies back;
  back.resize(3);
  unpack_bodies(packed.data(), packed.data() + 12, back);
  EXPECT_EQ(back.position, bodies.position);
  EXPECT_EQ(back.velocity, bodies.velocity);
  pack_bodies(bodies, false, packed.data(), packed.data() + 12);
  EXPECT_EQ(packed[12 + 11], 0.0F);
}

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
  for (const std::uint32_t number : {0U, 1U})
    EXPECT_EQ(bodies_of_galaxy(bodies.galaxy, number), expected[number]) << number;
  EXPECT_EQ(bodies_of_galaxy(bodies.galaxy, 2), (GalaxyRange{5, 5})) << "none";
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

TEST(Bodies, ColoursAreOfAllOrOfNone) {
  Bodies one;
  one.resize(2);
  EXPECT_FALSE(one.has_colors());
  Bodies other = one;
  other.color = {0xff0000, 0x00ff00};
  Bodies first = one, last = other;
  first.append(other);
  last.append(one);
  EXPECT_EQ(first.color, (std::vector<Color>{no_color, no_color, 0xff0000, 0x00ff00}));
  EXPECT_EQ(last.color, (std::vector<Color>{0xff0000, 0x00ff00, no_color, no_color}));
  EXPECT_TRUE(first.has_colors());
  one.append(Bodies(one));
  EXPECT_TRUE(one.color.empty());
  other.resize(3);
  EXPECT_EQ(other.color.back(), no_color);
  EXPECT_EQ(repeat_galaxies(last, 2).color.size(), 8U);
}

}  // namespace
}  // namespace orrery::sim
