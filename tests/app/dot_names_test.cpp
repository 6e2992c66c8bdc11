#include "app/gui/dot_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace orrery::app {
namespace {

const ImVec2 low{60.0F, 20.0F}, high{430.0F, 380.0F};

bool overlap(ImVec2 low_a, ImVec2 high_a, ImVec2 low_b, ImVec2 high_b) {
  return low_a.x < high_b.x && high_a.x > low_b.x && low_a.y < high_b.y && high_a.y > low_b.y;
}
ImVec2 end_of(const NamedDot& dot, const DotName& name) {
  return {name.corner.x + dot.name.x, name.corner.y + dot.name.y};
}

/// Each in the plot, on no other name and on no dot.
void expect_readable(const std::vector<NamedDot>& dots, const std::vector<std::optional<DotName>>& names) {
  ASSERT_EQ(names.size(), dots.size());
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (!names[i]) continue;
    const auto from = names[i]->corner, to = end_of(dots[i], *names[i]);
    EXPECT_GE(from.x, low.x);
    EXPECT_GE(from.y, low.y);
    EXPECT_LE(to.x, high.x);
    EXPECT_LE(to.y, high.y);
    for (std::size_t k = 0; k < dots.size(); ++k) {
      const auto& [at, radius, size] = dots[k];
      EXPECT_FALSE(overlap(from, to, {at.x - radius, at.y - radius}, {at.x + radius, at.y + radius}))
          << i << k;
      if (k >= i || !names[k]) continue;
      EXPECT_FALSE(overlap(from, to, names[k]->corner, end_of(dots[k], *names[k]))) << i << k;
    }
  }
}

/// Those of the demonstration: one of four stayed without a name.
TEST(DotNames, EveryDotHasOneThatCanBeRead) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> across(0.0F, 1.0F);
  for (const float spread : {0.0F, 3.0F, 15.0F, 60.0F, 300.0F}) {
    for (int round = 0; round < 40; ++round) {
      std::vector<NamedDot> dots;
      const ImVec2 middle{low.x + across(random) * (high.x - low.x),
                          low.y + across(random) * (high.y - low.y)};
      for (int k = 0; k < 8; ++k)
        dots.push_back({{std::clamp(middle.x + spread * (across(random) - 0.5F), low.x, high.x),
                         std::clamp(middle.y + spread * (across(random) - 0.5F), low.y, high.y)},
                        k == 0 ? 7.0F : 5.0F,
                        {40.0F + 140.0F * across(random), 19.0F}});
      const auto names = place_names(dots, low, high, DotNames::all);
      for (const auto& name : names) EXPECT_TRUE(name) << spread;
      expect_readable(dots, names);
    }
  }
}

TEST(DotNames, AFreeDotHasItsNameBesideIt) {
  const std::vector<NamedDot> dots{{{200.0F, 200.0F}, 5.0F, {80.0F, 19.0F}}};
  const auto names = place_names(dots, low, high, DotNames::all);
  ASSERT_TRUE(names[0]);
  EXPECT_FALSE(names[0]->line_to);
  EXPECT_FLOAT_EQ(names[0]->corner.x, 208.0F);
}

/// Orbits run through the dots.
TEST(DotNames, ANameOffLinesIsAboveTheMiddleOfItsDot) {
  const std::vector<NamedDot> dots{{{200.0F, 200.0F}, 5.0F, {80.0F, 19.0F}}};
  const auto names = place_names(dots, low, high, DotNames::off_lines);
  ASSERT_TRUE(names[0]);
  EXPECT_GT(names[0]->corner.x, 200.0F);
  EXPECT_LE(names[0]->corner.y + 19.0F, 205.0F);
}

/// A panel with very many dots names those that it can.
TEST(DotNames, WithoutLinesSomeDotsStayWithoutAName) {
  const std::vector<NamedDot> dots(20, {{200.0F, 200.0F}, 5.0F, {80.0F, 19.0F}});
  const auto names = place_names(dots, low, high, DotNames::that_fit);
  EXPECT_TRUE(names.front());
  EXPECT_FALSE(names.back());
  for (const auto& name : names) EXPECT_FALSE(name && name->line_to);
  expect_readable(dots, names);
}

}  // namespace
}  // namespace orrery::app
