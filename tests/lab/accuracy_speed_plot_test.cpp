#include "lab/figures/accuracy_speed_plot.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lab/plots/figure_file.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

AccuracySpeedPlot accuracy_speed() {
  return {.subtitle = "plummer",
          .size = {.bodies = 31623, .pairs = 1e9},
          .tried = {{.name = "sequential", .gips = 0.1, .seconds = 10.0, .error = 1e-6},
                    {.name = "not checked", .gips = 0.1, .seconds = 10.0},
                    {.name = "simd", .gips = 10.0, .seconds = 0.1, .error = 2e-7}},
          .present = 2,
          .published = {
              {.name = "them", .hardware = "a card", .bodies = 1000, .seconds = 5e-7, .source = "there"}}};
}

const plots::Line& line(const plots::Panel& panel, AccuracySpeedLine which) {
  return panel.lines.at(static_cast<std::size_t>(which));
}

TEST(AccuracySpeedPlot, HasADotForEachConfigurationThatIsKnown) {
  const auto panel = accuracy_speed_panel(accuracy_speed());
  EXPECT_EQ(line(panel, AccuracySpeedLine::tried).labels, std::vector<std::string>{"sequential"});
  ASSERT_EQ(line(panel, AccuracySpeedLine::present).labels, std::vector<std::string>{"simd"});
  EXPECT_DOUBLE_EQ(line(panel, AccuracySpeedLine::present).points[0].x, 0.1);
  EXPECT_DOUBLE_EQ(line(panel, AccuracySpeedLine::present).points[0].y, 2e-7);
}

/// From milliseconds to minutes nobody counts zeros: it said 10000 and 50000 ms.
TEST(AccuracySpeedPlot, TimesHaveTheirUnit) {
  auto plot = accuracy_speed();
  plot.published.clear();
  plot.tried = {{.name = "tree", .gips = 1.0, .seconds = 0.01, .error = 1e-4},
                {.name = "pairs", .gips = 1.0, .seconds = 25.0, .error = 1e-5}};
  std::vector<std::string> texts;
  for (const auto& tick : plots::ticks(accuracy_speed_panel(plot).x, 4)) texts.push_back(tick.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"10 ms", "100 ms", "1 s", "10 s"}));
  EXPECT_EQ(plots::duration_text(0.0174), "17.4 ms");
  EXPECT_EQ(plots::duration_text(0.99999), "1 s");
  EXPECT_EQ(plots::duration_text(90.0), "90 s");
  EXPECT_EQ(plots::duration_text(2e-6), "2 µs");
}

TEST(AccuracySpeedPlot, PublishedCodesStandAtTheTimeOfTheirRateAboveAllErrors) {
  const auto panel = accuracy_speed_panel(accuracy_speed());
  const auto& codes = line(panel, AccuracySpeedLine::published);
  ASSERT_EQ(codes.points.size(), 1U);
  EXPECT_NEAR(codes.points[0].x, 5e-4, 1e-12) << "1e9 interactions at 2000e9 a second";
  EXPECT_GT(codes.points[0].y, 1e-6);
  EXPECT_EQ(codes.labels[0], "a card, N = 1000");
}

/// A tree's time is about in proportion to the bodies, and says nothing about datasets of another size.
TEST(AccuracySpeedPlot, TreesOfOthersStandAtTheirErrorForDatasetsOfTheirSize) {
  auto trees = accuracy_speed();
  const PublishedCode tree{.name = "their tree",
                           .hardware = "that card",
                           .bodies = 40'000,
                           .seconds = 0.008,
                           .error = 3e-4,
                           .growth = Growth::bodies,
                           .source = "here"};
  auto larger = tree, smaller = tree;
  larger.bodies = 64'000, smaller.bodies = 15'000;
  trees.published = {tree, larger, smaller};
  const auto panel = accuracy_speed_panel(trees);
  EXPECT_TRUE(line(panel, AccuracySpeedLine::published).points.empty());
  const auto& measured = line(panel, AccuracySpeedLine::measured_codes);
  ASSERT_EQ(measured.points.size(), 1U);
  EXPECT_NEAR(measured.points[0].x, 0.008 * 31623 / 40'000, 1e-12);
  EXPECT_DOUBLE_EQ(measured.points[0].y, 3e-4);
  EXPECT_EQ(measured.labels[0], "their tree, that card");
  EXPECT_GE(panel.y.high, 3e-4);
  const auto note = accuracy_speed_figure(trees).note;
  EXPECT_NE(note.find("their tree"), std::string::npos) << note;
}

TEST(AccuracySpeedPlot, NothingMeasuredHasNoDots) {
  AccuracySpeedPlot empty;
  EXPECT_FALSE(has_dots(empty));
  empty.tried = {{.name = "no error", .gips = 1.0, .seconds = 1.0}};
  EXPECT_FALSE(has_dots(empty));
  EXPECT_TRUE(has_dots(accuracy_speed()));
}

TEST(AccuracySpeedPlot, IsDrawnAsSvg) {
  const auto svg = plots::svg_of(accuracy_speed_figure(accuracy_speed()));
  EXPECT_TRUE(svg.starts_with("<?xml"));
  auto one = accuracy_speed();
  one.tried = {one.tried[0]};
  one.present = 0;
  one.published.clear();
  EXPECT_NE(plots::svg_of(accuracy_speed_figure(one)), svg) << "one dot alone has axes too";
}

TEST(PublishedCodes, TheProgramsOwnFileIsRead) {
  const auto codes = read_published_codes(ORRERY_PUBLISHED_CODES);
  ASSERT_GE(codes.size(), 3U);
  for (const auto& code : codes) {
    EXPECT_GT(code.seconds, 0.0);
    EXPECT_GT(code.bodies, 0U);
    EXPECT_FALSE(code.hardware.empty() || code.source.empty()) << code.name;
  }
  // 262144 bodies squared in 30.4 ms, as the request says: 2260 GInteractions/s.
  const auto bodies = static_cast<double>(codes[0].bodies);
  EXPECT_NEAR(bodies * bodies / codes[0].seconds * 1e-9, 2260.0, 1.0);
}

TEST(PublishedCodes, WhatIsWrongIsSaidWithTheFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "published_codes.json";
  sim::write_file(file, R"({"codes": [{"name": "x", "hardware": "y", "bodies": 5, "source": "z"}]})");
  try {
    read_published_codes(file);
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("'x' has neither seconds nor gips"), std::string::npos)
        << error.what();
  }
}

TEST(PublishedCodes, AnErrorAndTheGrowthAreRead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "published_codes.json";
  const auto write = [&](const char* growth) {
    sim::write_file(file,
                    fmt::format(R"({{"codes": [{{"name": "x", "hardware": "y", "bodies": 5, "seconds": 2,
                                         "error": 1e-3, "grows-with": "{}", "source": "z"}}]}})",
                                growth));
  };
  write("bodies");
  const auto code = read_published_codes(file).at(0);
  EXPECT_EQ(code.growth, Growth::bodies);
  EXPECT_DOUBLE_EQ(code.error, 1e-3);
  write("time");
  EXPECT_THROW(read_published_codes(file), sim::Error);
}

}  // namespace
}  // namespace orrery::lab
