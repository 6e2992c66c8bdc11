#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

#include "lab/plots/axis.h"
#include "lab/plots/figure_file.h"
#include "lab/plots/fonts.h"
#include "sim/core/error.h"
#include "svg_paths.h"
#include "tests/temporary_folder.h"

namespace orrery::plots {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> texts(const Axis& axis, int wanted) {
  std::vector<std::string> all;
  for (const auto& tick : ticks(axis, wanted)) all.push_back(tick.text);
  return all;
}

using Texts = std::vector<std::string>;

TEST(Fonts, SignsHaveStandInsWhereThereIsNoFont) {
  EXPECT_EQ(in_plain_letters("2.5×10^{−7}"), "2.5x10^{-7}");
  EXPECT_EQ(in_plain_letters("|E − E0| / √(2 K0 M)"), "|E - E0| / sqrt(2 K0 M)");
  EXPECT_EQ(in_plain_letters("a  ·  b ∝ 星 é"), "a  -  b ~ ? e");
  EXPECT_EQ(in_plain_letters("Юпитер, Böhm, α Centauri, Łódź, Ž, Œ, ſ, À, ÿ"),
            "Iupiter, Bohm, alpha Centauri, Lodz, Z, OE, s, A, y");
}

TEST(Ticks, OfLinearAxesAreRound) {
  EXPECT_EQ(texts({.low = 0.0, .high = 10.0}, 5), (Texts{"0", "2", "4", "6", "8", "10"}));
  EXPECT_EQ(texts({.low = -1.0, .high = 1.0}, 4), (Texts{"−1.0", "−0.5", "0", "0.5", "1.0"}));
  EXPECT_EQ(texts({.low = 0.0, .high = 1.0}, 4), (Texts{"0", "0.25", "0.50", "0.75", "1.00"}));
  EXPECT_EQ(texts({.low = 3.1, .high = 3.4}, 3), (Texts{"3.1", "3.2", "3.3", "3.4"}));
}

TEST(Ticks, OfHugeAndTinyNumbersHavePowers) {
  EXPECT_EQ(texts({.low = 0.0, .high = 3e9}, 3), (Texts{"0", "10^{9}", "2×10^{9}", "3×10^{9}"}));
  EXPECT_EQ(texts({.low = 0.0, .high = 5e-7}, 2), (Texts{"0", "2.5×10^{−7}", "5.0×10^{−7}"}));
  EXPECT_EQ(texts({.low = -2e300, .high = 2e300}, 2), (Texts{"−2×10^{300}", "0", "2×10^{300}"}));
}

TEST(Ticks, OfLogarithmicAxesAreRoundToo) {
  const auto log = [](double low, double high) {
    return Axis{.scale = Scale::logarithmic, .low = low, .high = high};
  };
  EXPECT_EQ(texts(log(1.0, 1000.0), 5), (Texts{"1", "10", "100", "1000"}));
  EXPECT_EQ(texts(log(0.5, 20.0), 6), (Texts{"0.5", "1", "2", "5", "10", "20"}));
  EXPECT_EQ(texts(log(1e-12, 1e12), 5),
            (Texts{"10^{−12}", "10^{−8}", "10^{−4}", "1", "10^{4}", "10^{8}", "10^{12}"}));
  EXPECT_EQ(texts(log(100.0, 150.0), 3), (Texts{"100", "120", "140"})) << "less than twice: as a linear axis";
  EXPECT_EQ(minor_ticks(log(1.0, 10.0)).size(), 8U);
  EXPECT_TRUE(minor_ticks({.low = 1.0, .high = 10.0}).empty());
}

TEST(Ticks, LieOnTheAxisAndRiseWhateverItsEndsAre) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-12.0, 12.0), part(0.0, 1.0);
  for (int k = 0; k < 3000; ++k) {
    Axis axis{.scale = k % 2 == 0 ? Scale::linear : Scale::logarithmic};
    axis.low = std::pow(10.0, exponent(random)) * (axis.scale == Scale::linear && k % 4 == 0 ? -1.0 : 1.0);
    axis.high = axis.low + std::abs(axis.low) * std::pow(10.0, -3.0 + 6.0 * part(random));
    const int wanted = 2 + k % 9;
    const auto all = ticks(axis, wanted);
    ASSERT_GE(all.size(), 2U) << axis.low << " to " << axis.high << ", " << wanted;
    EXPECT_LE(all.size(), static_cast<std::size_t>(2 * wanted + 3)) << axis.low << " to " << axis.high;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_GE(axis.place(all[i].value), -1e-6);
      EXPECT_LE(axis.place(all[i].value), 1.0 + 1e-6);
      if (i == 0) continue;
      EXPECT_LT(all[i - 1].value, all[i].value);
      EXPECT_NE(all[i - 1].text, all[i].text) << axis.low << " to " << axis.high;
    }
  }
}

TEST(Ticks, StandForTheirValues) {
  for (const double high : {3e-9, 0.07, 12.0, 4.4e5, 9e15}) {
    for (const auto& tick : ticks({.low = -high, .high = high}, 6))
      EXPECT_NEAR(std::stod(plain_text(tick.text)), tick.value, 1e-9 * high) << tick.text;
  }
}

TEST(Axes, OfOneValueOrNoneHaveALength) {
  for (const auto scale : {Scale::linear, Scale::logarithmic}) {
    for (const std::vector<double>& values : std::vector<std::vector<double>>{
             {}, {5.0}, {5.0, 5.0}, {0.0}, {nothing, infinite}, {1e-300}, {1e300}}) {
      for (const auto& axis : {fitted("", scale, values), from_zero("", scale, values)}) {
        EXPECT_TRUE(std::isfinite(axis.low) && std::isfinite(axis.high));
        EXPECT_LT(axis.low, axis.high);
        EXPECT_GE(ticks(axis, 4).size(), 2U) << axis.low << " to " << axis.high;
      }
    }
  }
}

TEST(Axes, HoldTheirValues) {
  const std::vector<double> values{-3.0, 8.0, nothing, 2.0};
  const auto linear = fitted("", Scale::linear, values);
  EXPECT_LT(linear.low, -3.0);
  EXPECT_GT(linear.high, 8.0);
  EXPECT_LT(linear.high, 9.0);
  const auto logarithmic = fitted("", Scale::logarithmic, values);
  EXPECT_GT(logarithmic.low, 1.0) << "what has no logarithm does not count";
  EXPECT_LT(logarithmic.low, 2.0);
  EXPECT_EQ(from_zero("", Scale::linear, std::vector{2.0, 4.0}).low, 0.0);
  EXPECT_EQ(from_zero("", Scale::logarithmic, std::vector{2.0, 4.0}).low, 1.0);
}

TEST(Ticks, OfWhatIsNoAxisAreNone) {
  for (const double high : {nothing, infinite, 1.0, -1.0})
    EXPECT_TRUE(ticks({.low = 1.0, .high = high}, 5).empty());
  EXPECT_TRUE(ticks({.scale = Scale::logarithmic, .low = 0.0, .high = 1.0}, 5).empty());
}

TEST(Axes, PlacesAreUndone) {
  for (const auto scale : {Scale::linear, Scale::logarithmic}) {
    const Axis axis{.scale = scale, .low = 2.0, .high = 50.0};
    EXPECT_EQ(axis.place(2.0), 0.0);
    EXPECT_NEAR(axis.place(50.0), 1.0, 1e-12);
    EXPECT_NEAR(axis.value_at(axis.place(7.0)), 7.0, 1e-12);
  }
  EXPECT_NEAR((Axis{.scale = Scale::logarithmic, .low = 1.0, .high = 100.0}.place(10.0)), 0.5, 1e-12);
}

TEST(ShortNumbers, HaveThreeDigits) {
  EXPECT_EQ(short_number(0.0), "0");
  EXPECT_EQ(short_number(1.0), "1.00");
  EXPECT_EQ(short_number(-12.345), "−12.3");
  EXPECT_EQ(short_number(423.3), "423");
  EXPECT_EQ(short_number(99999.0), "99999");
  EXPECT_EQ(short_number(999999.0), "1.00×10^{6}");
  EXPECT_EQ(short_number(1.234e-9), "1.23×10^{−9}");
  EXPECT_EQ(plain_text(short_number(-1.234e-9)), "-1.23e-9");
}

TEST(Colors, OfKindsAreApartAndThoseOfNumbersFallEvenly) {
  for (std::size_t a = 0; a < distinct_colors; ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(distinct(a), distinct(b));
  double before = 2.0;
  for (int k = 0; k <= 50; ++k) {
    const double now = brightness(sequential(k / 50.0));
    EXPECT_LT(now, before) << k;
    before = now;
  }
  EXPECT_GT(brightness(sequential(0.0)), 0.85);
  EXPECT_LT(brightness(sequential(1.0)), 0.2);
}

/// A curve, points and bars with numbers that can be found again.
Figure example() {
  Panel curves{.title = "curves",
               .x = {.label = "x", .low = 0.0, .high = 10.0},
               .y = {.label = "y, ms", .scale = Scale::logarithmic, .low = 1.0, .high = 1000.0}};
  curves.lines = {{.name = "one", .points = {{1.0, 10.0}, {2.0, 20.0}, {4.0, 500.0}}, .color = distinct(0)},
                  {.name = "two",
                   .points = {{1.0, 2.0}, {2.0, nothing}, {3.0, 4.0}, {4.0, 8.0}, {5.0, 0.0}},
                   .color = distinct(1)}};
  Panel bars{.x = {.label = "GI/s", .low = 0.0, .high = 20.0},
             .y = of_categories("", {"first", "second"}),
             .horizontal = true};
  bars.bars = {{.name = "here", .color = distinct(2), .values = {5.0, 15.0}, .texts = {"5", "15"}},
               {.name = "there", .color = distinct(3), .values = {10.0, nothing}, .texts = {"10", "none"}}};
  return {.title = "A figure with <signs> & 10^{6}",
          .subtitle = "below",
          .note = "small",
          .panels = {curves, bars}};
}

TEST(Svg, HasTheCurvesWhereTheNumbersSay) {
  const auto figure = example();
  const auto frame = frames_of(figure).front();
  const auto paths = test::paths_of(svg_of(figure));
  const auto& one = figure.panels[0].lines[0];
  EXPECT_TRUE(test::has_curve(paths, distinct(0),
                              {frame.at(one.points[0]), frame.at(one.points[1]), frame.at(one.points[2])}));
  EXPECT_FALSE(test::has_curve(paths, distinct(0),
                               {frame.at({1.0, 11.0}), frame.at(one.points[1]), frame.at(one.points[2])}));
  // What has no place interrupts a curve.
  EXPECT_TRUE(test::has_curve(paths, distinct(1), {frame.at({3.0, 4.0}), frame.at({4.0, 8.0})}));
}

TEST(Svg, HasTheBarsWithTheirLengths) {
  const auto figure = example();
  const auto frame = frames_of(figure).at(1);
  const auto paths = test::paths_of(svg_of(figure));
  auto here = test::boxes_of(paths, distinct(2));
  std::erase_if(here, [&](const Box& box) { return box.x < frame.box.x - 0.1; });  // of the legend
  ASSERT_EQ(here.size(), 2U);
  EXPECT_NEAR(here[0].width, 0.25 * frame.box.width, 0.05);
  EXPECT_NEAR(here[1].width, 0.75 * frame.box.width, 0.05);
  EXPECT_LT(here[0].y, here[1].y) << "the first category is above";
  auto there = test::boxes_of(paths, distinct(3));
  std::erase_if(there, [&](const Box& box) { return box.x < frame.box.x - 0.1; });
  EXPECT_EQ(there.size(), 1U) << "what is not there has no bar";
}

TEST(Svg, StackedBarsFollowEachOther) {
  Figure figure{.panels = {{.x = {.low = 0.0, .high = 30.0},
                            .y = of_categories("", {"only"}),
                            .horizontal = true,
                            .stacked = true}}};
  figure.panels[0].bars = {{.color = distinct(0), .values = {10.0}}, {.color = distinct(1), .values = {5.0}}};
  const auto frame = frames_of(figure).front();
  const auto paths = test::paths_of(svg_of(figure));
  const auto first = test::boxes_of(paths, distinct(0)), second = test::boxes_of(paths, distinct(1));
  ASSERT_EQ(first.size(), 1U);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_NEAR(first[0].right(), second[0].x, 0.02);
  EXPECT_NEAR(second[0].right(), frame.box.x + 0.5 * frame.box.width, 0.02);
}

TEST(Svg, CellsHaveTheColoursOfTheirValues) {
  Figure figure{.panels = {{.x = of_categories("", {"a", "b"}), .y = of_categories("", {"c"})}}};
  figure.panels[0].heat = HeatMap{
      .columns = 2, .rows = 1, .values = {1.0, 3.0}, .ramp = {.label = "GI/s", .low = 1.0, .high = 3.0}};
  const auto frame = frames_of(figure).front();
  const auto paths = test::paths_of(svg_of(figure));
  const auto pale = test::boxes_of(paths, sequential(0.0)), dark = test::boxes_of(paths, sequential(1.0));
  ASSERT_FALSE(pale.empty());
  ASSERT_FALSE(dark.empty());
  EXPECT_NEAR(pale[0].x, frame.box.x, 0.02);
  EXPECT_NEAR(dark[0].x, frame.box.x + 0.5 * frame.box.width, 0.02);
}

TEST(Svg, NamesItselfAndIsTheSameEveryTime) {
  const auto svg = svg_of(example());
  EXPECT_NE(svg.find("<title>A figure with &lt;signs> &amp; 10^{6}</title>"), std::string::npos);
  EXPECT_TRUE(svg == svg_of(example()));
}

/// The pixels of a PNG, RGBA.
struct Pixels {
  unsigned width = 0, height = 0;
  std::vector<unsigned char> rgba;
  Color at(double x, double y) const {
    const auto* pixel = &rgba.at(4 * (static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)));
    return {pixel[0] / 255.0, pixel[1] / 255.0, pixel[2] / 255.0};
  }
};

Pixels pixels_of(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  Pixels pixels;
  EXPECT_NE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  image.format = PNG_FORMAT_RGBA;
  pixels.width = image.width;
  pixels.height = image.height;
  pixels.rgba.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(png_image_finish_read(&image, nullptr, pixels.rgba.data(), 0, nullptr), 0);
  return pixels;
}

bool near(const Color& a, const Color& b) {
  return std::abs(a.red - b.red) < 0.02 && std::abs(a.green - b.green) < 0.02 &&
         std::abs(a.blue - b.blue) < 0.02;
}

TEST(Png, IsTheSamePictureAsTheSvg) {
  const auto figure = example();
  const auto pixels = pixels_of(png_of(figure));
  EXPECT_EQ(pixels.width, 1600U);
  EXPECT_EQ(pixels.height, 1000U);
  for (const auto& color : {distinct(2), distinct(3)}) {
    for (const auto& box : test::boxes_of(test::paths_of(svg_of(figure)), color))
      EXPECT_TRUE(near(pixels.at(2.0 * (box.x + 0.5 * box.width), 2.0 * (box.y + 0.5 * box.height)), color));
  }
  EXPECT_TRUE(near(pixels.at(2.0, 2.0), white));
}

TEST(Png, TakesTheSizeThatIsAskedFor) {
  const auto pixels = pixels_of(png_of(example(), {.width = 640, .height = 300}));
  EXPECT_EQ(pixels.width, 640U);
  EXPECT_EQ(pixels.height, 300U);
  EXPECT_NE(svg_of(example(), {.width = 640, .height = 320}).find("viewBox=\"0 0 800 400\""),
            std::string::npos);
}

TEST(Drawing, TakesWhatIsHardToDraw) {
  Figure figure{.panels = {{.x = {.low = 0.0, .high = 1.0}, .y = {.low = 0.0, .high = 1.0}}}};
  EXPECT_FALSE(svg_of(figure).empty()) << "nothing at all";
  figure.title = std::string(400, 'W') + " ^{ } ^{open \xff\xfe";
  figure.width = 90.0;
  figure.height = 60.0;
  auto& panel = figure.panels.front();
  panel.lines = {{.name = "far",
                  .points = {{-1e30, 1e30}, {infinite, nothing}, {0.5, 0.5}},
                  .color = black,
                  .marker = Marker::cross}};
  panel.bars = {{.name = "", .color = black, .values = {}}};
  panel.x = of_categories("many", std::vector<std::string>(300, "a long name"));
  try {
    EXPECT_FALSE(png_of(figure).empty());
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be drawn"), std::string::npos);
  }
}

TEST(FigureFile, IsWrittenOnceAndWhole) {
  const test::TemporaryFolder folder;
  for (const std::string name : {"a.svg", "a.png"}) {
    EXPECT_NO_THROW(check_figure_file(folder / name));
    write_figure(folder / name, example());
    EXPECT_THROW(check_figure_file(folder / name), sim::Error);
    EXPECT_THROW(write_figure(folder / name, example()), sim::Error);
  }
  EXPECT_EQ(folder.entries(), 2U);
  EXPECT_THROW(check_figure_file(folder / "a.pdf"), sim::UsageError);
  EXPECT_THROW(check_figure_file(folder / "none" / "a.svg"), sim::Error);
}

}  // namespace
}  // namespace orrery::plots
