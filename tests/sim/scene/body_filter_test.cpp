#include "sim/scene/body_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/core/error.h"
#include "sim/scene/scene.h"

namespace orrery::sim {
namespace {

/// Bodies at x = 0 to n - 1, of mass 1 to n, in turn disk and halo.
Scene row(std::size_t n) {
  Scene scene;
  scene.title = "row";
  scene.bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    scene.bodies.position[i] = {static_cast<float>(i), 0, 0};
    scene.bodies.mass[i] = static_cast<float>(i + 1);
    scene.bodies.charge[i] = 1.0F;
    scene.bodies.component[i] = i % 2 == 0 ? Component::disk : Component::halo;
    scene.names.push_back(std::to_string(i));
    scene.radii.push_back(static_cast<double>(i));
    scene.bodies.color.push_back(static_cast<Color>(i));
  }
  return scene;
}

std::vector<std::uint64_t> ids_after(const BodyFilter& filter, std::size_t n = 10) {
  auto scene = row(n);
  apply_filter(scene, filter);
  EXPECT_EQ(scene.names.size(), scene.bodies.size());
  EXPECT_TRUE(std::ranges::equal(scene.bodies.color, scene.bodies.id)) << "colours stay with their bodies";
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    EXPECT_EQ(scene.names[i], std::to_string(scene.bodies.id[i]));
  return scene.bodies.id;
}

using Ids = std::vector<std::uint64_t>;

TEST(BodyFilter, NamesAndRadiiStayWithTheBodiesOfAComponent) {
  auto scene = row(10);
  keep_components(scene, ComponentSet("halo", ""));
  EXPECT_EQ(scene.bodies.id, (Ids{1, 3, 5, 7, 9}));
  EXPECT_EQ(scene.names, (std::vector<std::string>{"1", "3", "5", "7", "9"}));
  EXPECT_EQ(scene.radii, (std::vector<double>{1, 3, 5, 7, 9}));
}

TEST(Order, NamesAndRadiiFollowTracersToTheEnd) {
  auto scene = row(4);
  scene.bodies.mass[1] = scene.bodies.charge[1] = 0.0F;
  EXPECT_EQ(put_tracers_last(scene), 1U);
  EXPECT_EQ(scene.bodies.id, (Ids{0, 2, 3, 1}));
  EXPECT_EQ(scene.names, (std::vector<std::string>{"0", "2", "3", "1"}));
  EXPECT_EQ(scene.radii, (std::vector<double>{0, 2, 3, 1}));
}

TEST(BodyFilter, BoxHasItsFacesAndCornersInAnyOrder) {
  BodyFilter filter;
  set_box(filter, "6,1,1,3,-1,-1");
  EXPECT_EQ(ids_after(filter), (Ids{3, 4, 5, 6}));
}

TEST(BodyFilter, SphereIsAboutAPointOrTheMedian) {
  BodyFilter filter;
  set_sphere(filter, "2,0,0,1");
  EXPECT_EQ(ids_after(filter), (Ids{1, 2, 3}));
  filter = {};
  set_sphere(filter, "1");
  EXPECT_EQ(ids_after(filter), (Ids{4, 5, 6}));
}

TEST(BodyFilter, NearestTakesTheFirstOfTwoAtOneDistance) {
  BodyFilter filter;
  set_nearest(filter, "2,4,0,0");
  EXPECT_EQ(ids_after(filter), (Ids{3, 4}));
  set_nearest(filter, "1000,0,0,0");
  EXPECT_EQ(ids_after(filter).size(), 10U);
}

TEST(BodyFilter, EveryNthKeepsTheMassOfEachComponent) {
  auto scene = row(11);
  const auto mass_of = [&](Component component) {
    double sum = 0.0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      if (scene.bodies.component[i] == component) sum += scene.bodies.mass[i];
    return sum;
  };
  const double disk = mass_of(Component::disk), halo = mass_of(Component::halo);
  apply_filter(scene, {.every_nth = 3});
  EXPECT_EQ(scene.bodies.id, (Ids{0, 1, 6, 7}));
  EXPECT_NEAR(mass_of(Component::disk), disk, 1e-4);
  EXPECT_NEAR(mass_of(Component::halo), halo, 1e-4);
  EXPECT_FLOAT_EQ(scene.bodies.charge[0], 3.0F);
  ASSERT_FALSE(scene.notes.empty());
  EXPECT_NE(scene.notes.back().find("4 bodies are of 11 taken: one of 3"), std::string::npos)
      << scene.notes.back();
}

TEST(BodyFilter, NothingLeftIsAnError) {
  auto scene = row(5);
  BodyFilter filter;
  set_sphere(filter, "100,0,0,1");
  EXPECT_THROW(apply_filter(scene, filter), Error);
}

TEST(BodyFilter, RefusesWhatItCannotRead) {
  BodyFilter filter;
  for (const char* text : {"", "1,2,3,4,5", "a", "1,2,3,4,5,nan"})
    EXPECT_THROW(set_box(filter, text), UsageError) << text;
  for (const char* text : {"", "0", "-1", "1,2", "1,2,3,0"})
    EXPECT_THROW(set_sphere(filter, text), UsageError) << text;
  for (const char* text : {"", "0", "1.5", "3,1", "1e13"})
    EXPECT_THROW(set_nearest(filter, text), UsageError) << text;
  EXPECT_TRUE(filter.takes_all());
}

}  // namespace
}  // namespace orrery::sim
