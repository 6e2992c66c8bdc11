#include "sim/scene/periodic_box.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/bodies/origin.h"
#include "sim/core/random.h"

namespace orrery::sim {
namespace {

constexpr DVec3 sides{100.0, 80.0, 60.0};

/// x in [0, side).
double into(double x, double side) { return x - side * std::floor(x / side); }

/// A round clump of radius 5 about `centre`, put into the box, and bodies all over it.
Scene clump_at(const DVec3& centre) {
  Scene scene;
  scene.box = sides;
  Random random(7);
  const auto part = [&] { return random.uniform(); };
  constexpr std::size_t clump = 400, field = 100;
  scene.bodies.resize(clump + field);
  for (std::size_t i = 0; i < clump + field; ++i) {
    DVec3 x{part() * sides.x, part() * sides.y, part() * sides.z};
    if (i < clump) x = centre + DVec3{10 * part() - 5, 10 * part() - 5, 10 * part() - 5};
    scene.bodies.position[i] =
        static_cast<Vec3>(DVec3{into(x.x, sides.x), into(x.y, sides.y), into(x.z, sides.z)});
  }
  return scene;
}

/// Of the clump's bodies.
double reach(const Scene& scene) {
  double most = 0.0;
  for (std::size_t i = 0; i < 400; ++i) most = std::max(most, norm(absolute_place(scene.bodies, i)));
  return most;
}

TEST(PeriodicBox, AClumpAtAnEdgeIsMadeWhole) {
  for (const DVec3& centre : {DVec3{0, 0, 0}, DVec3{99, 40, 30}, DVec3{50, 79, 0}, DVec3{50, 40, 30}}) {
    auto scene = clump_at(centre);
    recentre_in_box(scene);
    EXPECT_LT(reach(scene), 10.0);
    ASSERT_TRUE(scene.box_middle);
    EXPECT_EQ(scene.notes.size(), 1U);
  }
}

TEST(PeriodicBox, IsCutOnlyWhereAnEdgeGoesThrough) {
  EXPECT_TRUE(cuts_densest_place(clump_at({0, 40, 30}).bodies, sides));
  EXPECT_TRUE(cuts_densest_place(clump_at({98, 78, 58}).bodies, sides));
  EXPECT_FALSE(cuts_densest_place(clump_at({50, 40, 30}).bodies, sides));
}

TEST(PeriodicBox, AnotherStateKeepsTheMiddleOfTheFirst) {
  auto first = clump_at({0, 0, 0}), second = clump_at({3, 0, 0});
  recentre_in_box(first);
  recentre_in_box(second, first.box_middle);
  EXPECT_NEAR(second.bodies.position[0].x - first.bodies.position[0].x, 3.0, 1e-4);
}

TEST(PeriodicBox, TheMiddleOfTheFirstGrowsWithTheBox) {
  auto first = clump_at({90, 40, 30}), later = clump_at({90, 40, 30});
  for (auto& x : later.bodies.position) x = 2.0F * x;
  later.box = 2.0 * sides;
  recentre_in_box(first);
  recentre_in_box(later, first.box_middle);
  EXPECT_NEAR(later.bodies.position[0].x, 2.0 * first.bodies.position[0].x, 1e-3);
}

TEST(PeriodicBox, BodiesFarOutsideMakeNoSenseOfOne) {
  const auto scene = clump_at({0, 0, 0});
  EXPECT_TRUE(is_about_box(scene.bodies, sides));
  EXPECT_FALSE(is_about_box(scene.bodies, {1e-300, 80.0, 60.0}));
  EXPECT_FALSE(is_about_box(scene.bodies, {10.0, 80.0, 60.0}));
}

TEST(PeriodicBox, BodiesOutsideLieInNone) {
  const auto scene = clump_at({0, 0, 0});
  EXPECT_TRUE(lies_in_box(scene.bodies, sides));
  EXPECT_FALSE(lies_in_box(scene.bodies, {50.0, 80.0, 60.0}));
}

}  // namespace
}  // namespace orrery::sim
