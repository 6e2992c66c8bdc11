#include "lab/bench/benchmark.h"
#include "sim/options/tree_options.h"

#include <gtest/gtest.h>
#include <cmath>

#include <nlohmann/json.hpp>
#include <sstream>

#include "app/picture/display_options.h"
#include "lab/setup/dataset.h"
#include "lab/setup/starting_options.h"

namespace orrery::lab {
namespace {

TEST(Benchmark, RowsHoldWhatWasMeasured) {
  const auto table = app::all_options();
  auto configuration = table.defaults();
  table.assign(configuration, "threads=1");
  const auto scene = load_dataset({.source = "plummer", .bodies = 256, .galaxies = 2});
  std::vector<BenchmarkRow> rows{time_configuration(table, configuration, scene, timed_steps(3))};
  EXPECT_EQ(rows[0].bodies, 512U);
  EXPECT_EQ(rows[0].galaxies, 2U);
  EXPECT_GT(rows[0].kernel_ms, 0.0);
  EXPECT_NEAR(rows[0].gips_kernel, 2 * 256.0 * 256.0 / rows[0].kernel_ms * 1e-6, 1e-9);
  EXPECT_LE(rows[0].gips_frame, rows[0].gips_kernel);
  EXPECT_EQ(rows[0].force_error.sample, 256U);
  EXPECT_GT(rows[0].kernel_mean_ms, 0.0);
  EXPECT_GE(rows[0].kernel_deviation_ms, 0.0);
  EXPECT_GT(rows[0].update_ms, 0.0);
  EXPECT_LT(rows[0].force_error.median, 1e-5);
  const auto json = benchmark_json(table, rows);
  EXPECT_TRUE(json.at("device").contains("name"));
  for (const char* key :
       {"label", "config", "bodies", "galaxies", "steps", "kernel_ms", "gips_kernel", "gips_frame", "speedup",
        "force_error_median", "force_error_p99", "kernel_mean_ms", "kernel_deviation_ms", "sums_share",
        "update_ms", "device_bytes", "force_error_max", "interactions_per_body"}) {
    EXPECT_TRUE(json.at("rows").at(0).contains(key)) << key;
  }
  EXPECT_EQ(json.at("rows").at(0).at("config").at("kernel"), "simd");
  EXPECT_EQ(json.at("rows").at(0).at("interactions_per_body"), 256.0);
  EXPECT_EQ(json.at("rows").at(0).at("counted"), "all pairs");
  EXPECT_EQ(benchmark_notes(rows).find("tree"), std::string::npos) << benchmark_notes(rows);
  const auto csv = benchmark_csv(rows);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

BenchmarkRow row_of(const std::vector<std::string>& assignments, std::size_t bodies = 3000) {
  const auto table = app::all_options();
  auto configuration = table.defaults();
  apply_assignments(table, configuration, assignments);
  const auto scene = load_dataset({.source = "plummer", .bodies = bodies});
  auto control = timed_steps(1);
  control.energy = true;
  return time_configuration(table, configuration, scene, control);
}

TEST(Benchmark, ATreeSaysWhatItsRateCountsAndWhatItStates) {
  auto row = row_of({"engine=cpu", "kernel=tree", "accuracy=1e-3"});
  row.label = "tree";
  const auto json = row_json(app::all_options(), row);
  const auto opening = json.at("config").at("opening").get<std::string>();
  EXPECT_EQ(opening, sim::relative_opening(row.report.number("alpha"))) << "the one that accuracy found";
  EXPECT_NE(opening, app::all_options().defaults().choice("opening"));
  const auto each = json.at("interactions_per_body").get<double>();
  EXPECT_GT(each, 50.0);
  EXPECT_LT(each, 2000.0);
  EXPECT_NEAR(json.at("gips_kernel").get<double>(), 3000.0 * each / row.kernel_ms * 1e-6, 1e-9);
  EXPECT_NE(json.at("counted"), "all pairs");
  EXPECT_GT(json.at("stated_error_p99"), json.at("stated_error_median"));
  EXPECT_GE(json.at("force_error_max"), json.at("force_error_p99"));
  const auto notes = benchmark_notes({row});
  for (const char* part : {"evaluated interactions", "99 % of the bodies below", "alpha"})
    EXPECT_NE(notes.find(part), std::string::npos) << notes;
}

/// The cells of a tree that is built every 16 steps have spread when the next ones are due.
TEST(Benchmark, TheErrorIsThatOfTheOldestCells) {
  constexpr std::size_t bodies = 12'000;
  const auto fresh = row_of({"engine=cpu", "kernel=tree", "time-step=0.04"}, bodies).force_error;
  const auto old = row_of({"engine=cpu", "kernel=tree", "time-step=0.04", "rebuild=16"}, bodies).force_error;
  EXPECT_GT(old.p99, 1.2 * fresh.p99);
}

TEST(Benchmark, WhatAutoTakesIsNamedAndCounted) {
  auto row = row_of({"engine=cpu", "kernel=auto"});
  row.busy = false;  // Notes name other programs, of which this machine may have some.
  ASSERT_TRUE(row.energy_drift);
  EXPECT_LT(std::abs(*row.energy_drift), 1e-3);
  EXPECT_NE(benchmark_notes({row}).find("\nenergy: changed by "), std::string::npos);
  row.energy_drift.reset();
  const auto json = row_json(app::all_options(), row);
  EXPECT_EQ(json.at("kernel_taken"), "simd");
  EXPECT_EQ(json.at("taken").at("kernel"), "simd");
  const auto instructions = json.at("taken").at("instructions").get<std::string>();
  EXPECT_EQ(instructions, row.report.text("instructions"));
  EXPECT_FALSE(instructions.empty());
  EXPECT_EQ(json.at("counted"), "all pairs");
  EXPECT_EQ(json.at("interactions_per_body"), 3000.0);
  EXPECT_EQ(benchmark_line(row).find("auto (simd) "), 0U) << benchmark_line(row);
  EXPECT_EQ(benchmark_notes({row, row}), "auto takes instructions=" + instructions + ", kernel=simd\n");
}

/// Several evaluations of a step, and kernels whose evaluations differ in time.
TEST(Benchmark, WholeStepsAreNeverFasterThanTheKernel) {
  for (const auto& assignments :
       std::vector<std::vector<std::string>>{{"engine=cpu", "kernel=sequential", "integrator=pefrl"},
                                             {"engine=cpu", "kernel=tree", "rebuild=2", "integrator=yoshida"},
                                             {"engine=cpu", "kernel=simd", "integrator=hermite"}}) {
    const auto row = row_of(assignments, 200);
    EXPECT_LE(row.gips_frame, row.gips_kernel) << assignments[1];
    EXPECT_LE(row.kernel_ms, row.step_ms) << assignments[1];
  }
}

/// With usual labels the table fits into 120 columns, whatever the numbers are; its columns are below their
/// heads.
TEST(Benchmark, TheTableIsAlignedAndNarrow) {
  auto row = row_of({"engine=cpu", "kernel=tree"});
  for (const std::string label : {"register-split", "simd-pair-symmetric"}) {
    row.label = label;
    const BenchmarkForm form{.label_width = label.size()};
    row.bodies = 100'000'000;
    row.kernel_ms = 123456.789, row.kernel_deviation_ms = 0.00123, row.step_ms = 1234567.8;
    row.gips_kernel = 0.000123, row.gips_frame = 5800.4;
    row.force_error = {.sample = 256, .median = 1.23e-4, .p99 = 3.4e-3, .maximum = 1.0};
    for (const std::size_t map : {std::size_t{0}, std::size_t{1000}}) {
      row.map_size = map;
      const auto head = benchmark_head({row}, form), line = benchmark_line(row, form);
      std::istringstream lines(head.substr(head.find('\n') + 1));
      for (std::string each; std::getline(lines, each);)
        EXPECT_EQ(each.size() + 1, line.size()) << head << line;
      EXPECT_LE(line.size(), 107U + label.size()) << line;
      for (const char* part : {"1.2e-04", "3.4e-03", "1.0e+00", "100000000"})
        EXPECT_NE(line.find(part), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace orrery::lab
