#include "lab/figures/roofline_figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/picture/display_options.h"
#include "lab/bench/engine_facts.h"
#include "lab/ladders/ladder_benchmark.h"
#include "lab/plots/figure_file.h"
#include "sim/core/error.h"

namespace orrery::app {
namespace {

/// A device of 132 multiprocessors at 1.98 GHz, and kernels like those of the ladders.
lab::Roofline invented() {
  return {.title = "a device: plummer, 131072 bodies",
          .instruction_rate = 33454.0,
          .special_rate = 4182.0,
          .points = {{"pairwise", 20.2, 900.0, 1.0},
                     {"tiled", 18.3, 1500.0, 1.0},
                     {"sqrt", 34.3, 700.0, 2.0},
                     {"tensor", 5.1, 3600.0, 0.875}}};
}

/// A row as the engine reports it.
lab::BenchmarkRow row_of(const std::string& label, double gips, double slots, double special) {
  lab::BenchmarkRow row{.label = label, .configuration = all_options().defaults(), .gips_kernel = gips};
  const auto rate = [](double all, double each) { return each > 0.0 ? all / each : 0.0; };
  const auto counted = [&](double each) { return slots > 0.0 ? sim::Fact::Value(each) : sim::Fact::Value(); };
  row.report.device = "a device";
  row.report.limits = {{sim::limit_keys::fp32, "FP32 limit", 2573.0, 13.0},
                       {sim::limit_keys::issue, "issue limit", rate(33454.0, slots), slots},
                       {sim::limit_keys::special, "special-function limit", rate(4182.0, special), special},
                       {sim::limit_keys::fp64, "FP64 limit"}};
  row.report.facts = {{.key = "slots_per_interaction", .value = counted(slots)},
                      {.key = "special_per_interaction", .value = counted(special)}};
  return row;
}

/// Where the only panel of the figure lies.
plots::Frame frame_of(const lab::Roofline& roofline) {
  return plots::frames_of(lab::roofline_figure(roofline)).front();
}

bool inside(const plots::Frame& frame, plots::Place at) {
  return at.x > frame.box.x && at.x < frame.box.right() && at.y > frame.box.y && at.y < frame.box.bottom();
}

TEST(RooflineFigure, HoldsAllPointsAndLimits) {
  const auto roofline = invented();
  const auto frame = frame_of(roofline);
  for (const auto& point : roofline.points) EXPECT_TRUE(inside(frame, frame.at({point.slots, point.gips})));
  EXPECT_TRUE(inside(frame, frame.at({13.0, roofline.instruction_rate / 13.0})));
  EXPECT_TRUE(inside(frame, frame.at({13.0, roofline.special_rate})));
  EXPECT_LT(frame.at({10.0, 3000.0}).y, frame.at({10.0, 1000.0}).y) << "more is higher";
}

TEST(RooflineIn, TakesTheRowsWhoseInstructionsWereCounted) {
  auto both = row_of("two GPUs", 3000.0, 18.0, 1.0);
  both.report.devices = 2;
  for (auto& limit : both.report.limits) limit.gips *= 2;
  lab::BenchmarkRow cpu = row_of("cpu", 10.0, 0.0, 0.0);
  cpu.report = {};
  const auto drawn = [](const std::vector<lab::BenchmarkRow>& rows) {
    return lab::roofline_in(lab::benchmark_json(all_options(), rows), {});
  };
  const auto roofline =
      drawn({cpu, row_of("tiled", 1500.0, 18.3, 1.0), row_of("unknown", 900.0, 0.0, 0.0), both});
  ASSERT_EQ(roofline.points.size(), 2U);
  EXPECT_EQ(roofline.points[0].label, "tiled");
  EXPECT_NEAR(roofline.points[1].gips, 1500.0, 1e-6) << "of each GPU";
  EXPECT_NEAR(roofline.instruction_rate, 33454.0, 1e-6);
  EXPECT_NEAR(roofline.special_rate, 4182.0, 1e-6);
  EXPECT_THROW(drawn({cpu}), sim::Error);
}

TEST(CountedLimits, AreInTheReports) {
  const auto table = all_options();
  const auto known = lab::row_json(table, row_of("tiled", 1463.9, 18.3, 1.0)).at("kernel");
  EXPECT_NEAR(known.at("slots_per_interaction").get<double>(), 18.3, 1e-9);
  EXPECT_NEAR(known.at("percent_of_issue_limit").get<double>(), 100.0 * 1463.9 / (33454.0 / 18.3), 1e-9);
  EXPECT_NEAR(known.at("percent_of_special_limit").get<double>(), 100.0 * 1463.9 / 4182.0, 1e-9);
  EXPECT_NEAR(known.at("percent_of_limit").get<double>(), 100.0 * 1463.9 / 2573.0, 1e-9);
  EXPECT_TRUE(known.at("fp64_limit_gips").is_null());
  const auto unknown = lab::row_json(table, row_of("edited", 1463.9, 0.0, 0.0)).at("kernel");
  for (const char* field :
       {"slots_per_interaction", "special_per_interaction", "issue_limit_gips", "percent_of_issue_limit"})
    EXPECT_TRUE(unknown.at(field).is_null()) << field;
}

TEST(CountedLimits, AreBlankWhereTheClockIsNotKnown) {
  auto row = row_of("tiled", 1463.9, 18.3, 1.0);
  for (auto& limit : row.report.limits) limit.gips = 0.0;
  const auto json = lab::row_json(all_options(), row).at("kernel");
  for (const char* field : {"limit_gips", "percent_of_limit", "percent_of_issue_limit"})
    EXPECT_TRUE(json.at(field).is_null()) << field;
  EXPECT_EQ(lab::counted_text(row.report, 1463.9), "18.3 slots per interaction");
  lab::LadderResult result;
  lab::LadderRow rung{.rung = {.name = "first"}};
  rung.measured = row;
  result.rows = {rung};
  for (const auto& text : {lab::ladder_table(result), lab::ladder_csv({result})})
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
}

TEST(CountedLimits, InALine) {
  EXPECT_EQ(lab::counted_text(row_of("tiled", 1463.9, 18.3, 1.0).report, 1463.9),
            "18.3 slots per interaction: 80 % of the issue limit, 35 % of the special-function limit");
  auto doubles = row_of("double", 668.0, 29.25, 1.0).report;
  doubles.limits.back().gips = 929.3;
  EXPECT_NE(lab::counted_text(doubles, 668.0).find("72 % of the FP64 limit"), std::string::npos);
  EXPECT_EQ(lab::counted_text(row_of("without special functions", 500.0, 9.5, 0.0).report, 500.0),
            "9.5 slots per interaction: 14 % of the issue limit");
  EXPECT_NE(lab::counted_text({}, 500.0).find("does not tell"), std::string::npos);
}

TEST(CountedLimits, AreInTheTableAndTheCsvOfALadder) {
  lab::LadderResult result;
  lab::LadderRow row{.rung = {.name = "first"}};
  row.measured = row_of("tiled", 1463.9, 18.3, 1.0);
  result.rows = {row, {.rung = {.name = "impossible"}, .reason = "not here"}};
  EXPECT_NE(lab::ladder_table(result).find("  18.3   80%   35% "), std::string::npos)
      << lab::ladder_table(result);
  std::istringstream csv(lab::ladder_csv({result}));
  std::string header;
  std::string measured;
  std::string missing;
  std::getline(csv, header);
  std::getline(csv, measured);
  std::getline(csv, missing);
  EXPECT_TRUE(header.ends_with(
      ",reason,slots_per_interaction,percent_of_issue_limit,percent_of_special_limit,"
      "kernel_deviation_ms,device_bytes,sums_share,update_ms,published_bodies,published_memory_mb,"
      "published_with"));
  EXPECT_NE(measured.find(",18.3,80.0"), std::string::npos) << measured;
  EXPECT_TRUE(missing.ends_with(",\"not here\",,,,,,,,,,\"\"")) << missing;
}

/// The line of the figure with that beginning of its name.
const plots::Line& line_named(const plots::Figure& figure, const std::string& start) {
  const auto& lines = figure.panels.front().lines;
  const auto found =
      std::ranges::find_if(lines, [&](const plots::Line& line) { return line.name.starts_with(start); });
  EXPECT_NE(found, lines.end()) << start;
  return *found;
}

TEST(RooflineFigure, LinesAndPointsLieWhereTheNumbersSay) {
  const auto roofline = invented();
  const auto figure = lab::roofline_figure(roofline);
  for (const auto& point : line_named(figure, "issue limit").points)
    EXPECT_NEAR(point.y, roofline.instruction_rate / point.x, 1e-6);
  for (const auto& point : line_named(figure, "special functions").points)
    EXPECT_EQ(point.y, roofline.special_rate);
  const auto& points = line_named(figure, "kernels");
  ASSERT_EQ(points.points.size(), roofline.points.size());
  for (std::size_t k = 0; k < points.points.size(); ++k) {
    EXPECT_EQ(points.points[k].x, roofline.points[k].slots);
    EXPECT_EQ(points.points[k].y, roofline.points[k].gips);
  }
  // Of the nearer limit: 900 of 33454 / 20.2, and 3600 of 4182 / 0.875, which is nearer than 33454 / 5.1.
  EXPECT_EQ(points.labels.front(), "pairwise (54 %)");
  EXPECT_EQ(points.labels.back(), "tensor (75 %)");
  // Own limits: of two functions an interaction, and of 0.875.
  const auto dashes = std::ranges::count_if(figure.panels.front().lines,
                                            [](const plots::Line& line) { return line.name.empty(); });
  EXPECT_EQ(dashes, 2);
}

TEST(RooflineFigure, ManyAndExtremePointsFit) {
  auto roofline = invented();
  for (int k = 0; k < 60; ++k) roofline.points.push_back({"the same place", 18.3, 1500.0, 1.0});
  roofline.points.push_back({"slow", 500.0, 1e-3, 0.0});
  EXPECT_TRUE(inside(frame_of(roofline), frame_of(roofline).at({500.0, 1e-3})));
  EXPECT_FALSE(plots::svg_of(lab::roofline_figure(roofline)).empty());
}

}  // namespace
}  // namespace orrery::app
