#include "lab/figures/board_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lab/plots/figure_file.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

Board board() {
  return {
      .subtitle = "plummer",
      .size = {.bodies = 31623, .pairs = 1e9},
      .tried = {{.name = "sequential", .gips = 0.1, .seconds = 10.0, .error = 1e-6},
                {.name = "not checked", .gips = 0.1, .seconds = 10.0},
                {.name = "simd", .gips = 10.0, .seconds = 0.1, .error = 2e-7}},
      .present = 2,
      .rivals = {{.name = "them", .hardware = "a card", .bodies = 1000, .seconds = 5e-7, .source = "there"}}};
}

const plots::Line& line(const plots::Panel& panel, BoardLine which) {
  return panel.lines.at(static_cast<std::size_t>(which));
}

TEST(BoardFigure, HasADotForEachConfigurationThatIsKnown) {
  const auto panel = board_panel(board());
  EXPECT_EQ(line(panel, BoardLine::tried).labels, std::vector<std::string>{"sequential"});
  ASSERT_EQ(line(panel, BoardLine::present).labels, std::vector<std::string>{"simd"});
  EXPECT_DOUBLE_EQ(line(panel, BoardLine::present).points[0].x, 100.0);
  EXPECT_DOUBLE_EQ(line(panel, BoardLine::present).points[0].y, 2e-7);
}

TEST(BoardFigure, RivalsStandAtTheTimeOfTheirRateAboveAllErrors) {
  const auto panel = board_panel(board());
  const auto& rivals = line(panel, BoardLine::rivals);
  ASSERT_EQ(rivals.points.size(), 1U);
  EXPECT_NEAR(rivals.points[0].x, 0.5, 1e-9) << "1e9 interactions at 2000e9 a second, in ms";
  EXPECT_GT(rivals.points[0].y, 1e-6);
  EXPECT_EQ(rivals.labels[0], "a card, N = 1000");
}

/// A tree's time is about in proportion to the bodies, and says nothing about datasets of another size.
TEST(BoardFigure, TreesOfOthersStandAtTheirErrorForDatasetsOfTheirSize) {
  auto trees = board();
  const Rival tree{.name = "their tree",
                   .hardware = "that card",
                   .bodies = 40'000,
                   .seconds = 0.008,
                   .error = 3e-4,
                   .growth = Growth::bodies,
                   .source = "here"};
  auto larger = tree, smaller = tree;
  larger.bodies = 64'000, smaller.bodies = 15'000;
  trees.rivals = {tree, larger, smaller};
  const auto panel = board_panel(trees);
  EXPECT_TRUE(line(panel, BoardLine::rivals).points.empty());
  const auto& measured = line(panel, BoardLine::measured_rivals);
  ASSERT_EQ(measured.points.size(), 1U);
  EXPECT_NEAR(measured.points[0].x, 8.0 * 31623 / 40'000, 1e-9);
  EXPECT_DOUBLE_EQ(measured.points[0].y, 3e-4);
  EXPECT_EQ(measured.labels[0], "their tree, that card");
  EXPECT_GE(panel.y.high, 3e-4);
  const auto note = board_figure(trees).note;
  EXPECT_NE(note.find("their tree"), std::string::npos) << note;
}

TEST(BoardFigure, NothingMeasuredHasNoDots) {
  Board empty;
  EXPECT_FALSE(has_dots(empty));
  empty.tried = {{.name = "no error", .gips = 1.0, .seconds = 1.0}};
  EXPECT_FALSE(has_dots(empty));
  EXPECT_TRUE(has_dots(board()));
}

TEST(BoardFigure, IsDrawnAsSvg) {
  const auto svg = plots::svg_of(board_figure(board()));
  EXPECT_TRUE(svg.starts_with("<?xml"));
  auto one = board();
  one.tried = {one.tried[0]};
  one.present = 0;
  one.rivals.clear();
  EXPECT_NE(plots::svg_of(board_figure(one)), svg) << "one dot alone has axes too";
}

TEST(Rivals, TheProgramsOwnFileIsRead) {
  const auto rivals = read_rivals(ORRERY_RIVALS);
  ASSERT_GE(rivals.size(), 3U);
  for (const auto& rival : rivals) {
    EXPECT_GT(rival.seconds, 0.0);
    EXPECT_GT(rival.bodies, 0U);
    EXPECT_FALSE(rival.hardware.empty() || rival.source.empty()) << rival.name;
  }
  // 262144 bodies squared in 30.4 ms, as the request says: 2260 GInteractions/s.
  const auto bodies = static_cast<double>(rivals[0].bodies);
  EXPECT_NEAR(bodies * bodies / rivals[0].seconds * 1e-9, 2260.0, 1.0);
}

TEST(Rivals, WhatIsWrongIsSaidWithTheFile) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "rivals.json";
  sim::write_file(file, R"({"rivals": [{"name": "x", "hardware": "y", "bodies": 5, "source": "z"}]})");
  try {
    read_rivals(file);
    FAIL();
  } catch (const sim::Error& error) {
    EXPECT_NE(std::string(error.what()).find("'x' has neither seconds nor gips"), std::string::npos)
        << error.what();
  }
}

TEST(Rivals, AnErrorAndTheGrowthAreRead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "rivals.json";
  const auto write = [&](const char* growth) {
    sim::write_file(file,
                    fmt::format(R"({{"rivals": [{{"name": "x", "hardware": "y", "bodies": 5, "seconds": 2,
                                         "error": 1e-3, "grows-with": "{}", "source": "z"}}]}})",
                                growth));
  };
  write("bodies");
  const auto rival = read_rivals(file).at(0);
  EXPECT_EQ(rival.growth, Growth::bodies);
  EXPECT_DOUBLE_EQ(rival.error, 1e-3);
  write("time");
  EXPECT_THROW(read_rivals(file), sim::Error);
}

}  // namespace
}  // namespace orrery::lab
