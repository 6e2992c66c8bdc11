#include "lab/ladders/ladder_benchmark.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/picture/display_options.h"
#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

namespace fs = std::filesystem;

const std::string ladder_text = R"({"title": "T", "source": "S", "model": "plummer", "bodies": 200,
    "galaxies": 2, "steps": 3, "base": {"softening": 0.25}, "rungs": [
  {"name": "impossible", "text": "refused", "set": {"engine": "cuda", "block": 33},
   "published": [{"bodies": 200, "galaxies": 2, "seconds": 8}, {"bodies": 400, "galaxies": 2, "seconds": 9}]},
  {"name": "first", "text": "one", "from": "base", "set": {"engine": "cpu", "kernel": "sequential"},
   "published": [{"bodies": 200, "galaxies": 2, "seconds": 4}, {"bodies": 400, "galaxies": 2, "seconds": 3},
                 {"bodies": 210, "speedup": 77, "remark": "over something else"}]},
  {"name": "missing", "text": "two", "unavailable": "not built yet", "published": [{"gips": 5}]},
  {"name": "second", "text": "three", "from": "first", "set": {"kernel": "omp-bodies", "threads": 2}}]})";

class LadderBenchmark : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "mine.json") << ladder_text;
    ladder_ = read_ladder(table_, folder_ / "mine.json");
  }

  LadderResult measure(const LadderRequest& request, std::optional<int> steps = 2) {
    LadderProblem problem(table_, ladder_, request, ladder_.bodies);
    return measure_ladder(table_, problem, steps,
                          {.begins = [&](const Rung& rung, std::size_t) { announced_.push_back(rung.name); },
                           .stepped =
                               [&](const Rung&, std::size_t, int done, int all) {
                                 EXPECT_LE(done, all);
                                 ++stepped_;
                               }});
  }

  sim::OptionTable table_ = app::all_options();
  Ladder ladder_;
  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  std::vector<std::string> announced_;
  int stepped_ = 0;
};

TEST_F(LadderBenchmark, EveryRungIsARow) {
  const auto result = measure({});
  ASSERT_EQ(result.rows.size(), 4U);
  EXPECT_FALSE(result.rows[0].measured);
  EXPECT_NE(result.rows[0].reason, "");
  EXPECT_EQ(result.rows[2].reason, "not built yet");
  for (const std::size_t k : {1U, 3U}) {
    ASSERT_TRUE(result.rows[k].measured) << result.rows[k].reason;
    EXPECT_EQ(result.rows[k].reason, "");
    EXPECT_EQ(result.rows[k].measured->bodies, 400U);
    EXPECT_EQ(result.rows[k].measured->galaxies, 2U);
    EXPECT_EQ(result.rows[k].measured->steps, 2);
    EXPECT_GT(result.rows[k].measured->step_ms, 0.0);
    EXPECT_LT(result.rows[k].measured->force_error.median, 1e-5);
    EXPECT_EQ(result.rows[k].measured->configuration.real("softening"), 0.25);
  }
  EXPECT_EQ(announced_, (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(stepped_, 6);  // one step to warm up and two timed ones of each
}

TEST_F(LadderBenchmark, SpeedUpsAreOverRungsThatRan) {
  const auto rows = measure({}).rows;
  EXPECT_EQ(rows[1].speedup_first, 1.0);
  EXPECT_EQ(rows[1].speedup_previous, 0.0);
  EXPECT_EQ(rows[2].speedup_first, 0.0);
  const double faster = rows[1].measured->step_ms / rows[3].measured->step_ms;
  EXPECT_NEAR(rows[3].speedup_first, faster, 1e-9 * faster);
  EXPECT_EQ(rows[3].speedup_previous, rows[3].speedup_first);
}

TEST_F(LadderBenchmark, TheRequestCountsForMoreThanTheLadder) {
  const auto result = measure({.dataset = {.source = "disk", .bodies = 300, .galaxies = 1},
                               .own_galaxies = true,
                               .assignments = {"softening=0.5", "threads=1"}});
  EXPECT_EQ(result.bodies, 300U);
  EXPECT_EQ(result.galaxies, 1U);
  const auto& row = *result.rows[1].measured;
  EXPECT_EQ(row.bodies, 300U);
  EXPECT_EQ(row.configuration.real("softening"), 0.5);
  EXPECT_EQ(row.configuration.integer("threads"), 1);
  EXPECT_EQ(result.rows[3].measured->configuration.integer("threads"), 2);
}

TEST_F(LadderBenchmark, WithoutStepsTheyAreChosen) {
  const auto rows = measure({}, std::nullopt).rows;
  ASSERT_TRUE(rows[1].measured);
  EXPECT_GE(rows[1].measured->steps, 1);
  EXPECT_LE(rows[1].measured->steps, 5);
}

TEST_F(LadderBenchmark, PublishedFiguresAreOfTheNearestSize) {
  const auto& first = ladder_.rungs[1];
  EXPECT_EQ(figure_near(first, 200)->seconds, 4.0);
  EXPECT_EQ(figure_near(first, 100'000)->seconds, 3.0);
  EXPECT_EQ(figure_near(first, 210)->seconds, 4.0) << "a plain figure comes before one with a remark";
  EXPECT_FALSE(figure_near(ladder_.rungs[3], 200));
}

TEST(PublishedMemory, IsTheWholeOfTheNearestSize) {
  Rung rung;
  EXPECT_EQ(published_memory(rung, 4096), nullptr);
  rung.published = {{.bodies = 4096, .seconds = 2.0},
                    {.bodies = 8192, .seconds = 7.7, .memory_mb = 1026.0},
                    {.bodies = 64, .memory_mb = 1.0},
                    {.bodies = 4096, .memory_mb = 256.0, .remark = "the force matrix alone"}};
  EXPECT_EQ(published_memory(rung, 4096)->memory_mb, 1026.0) << "not a part of it";
  EXPECT_EQ(published_memory(rung, 100)->memory_mb, 1.0);
}

TEST(FigureNear, TheNearestMapComesFirst) {
  Rung rung;
  rung.published = {{.bodies = 1024, .map = 10, .seconds = 1.0},
                    {.bodies = 50000, .map = 10, .seconds = 2.0},
                    {.bodies = 1024, .map = 1000, .seconds = 3.0},
                    {.bodies = 1024, .map = 15000, .seconds = 4.0, .remark = "shifted"}};
  EXPECT_EQ(figure_near(rung, 1024, 10)->seconds, 1.0);
  EXPECT_EQ(figure_near(rung, 60000, 10)->seconds, 2.0);
  EXPECT_EQ(figure_near(rung, 60000, 900)->seconds, 3.0);
  EXPECT_EQ(figure_near(rung, 1024, 15000)->seconds, 4.0) << "although it has a remark";
  EXPECT_EQ(figure_near(rung, 1024)->seconds, 1.0);
}

TEST_F(LadderBenchmark, PublishedSpeedUpsAreOverTheFirstRung) {
  const auto& figures = ladder_.rungs[1].published;
  EXPECT_EQ(published_speedup(ladder_, ladder_.rungs[0].published[0]), 1.0);
  EXPECT_EQ(published_speedup(ladder_, figures[0]), 2.0);
  EXPECT_EQ(published_speedup(ladder_, figures[1]), 3.0);
  EXPECT_EQ(published_speedup(ladder_, figures[2]), 0.0) << "the remark says over what else";
  EXPECT_EQ(published_speedup(ladder_, ladder_.rungs[2].published[0]), 0.0);
}

TEST_F(LadderBenchmark, ReportsHaveEveryRung) {
  const auto result = measure({});
  const auto json = nlohmann::json::parse(ladder_json(table_, {result}).dump());
  const auto& rungs = json.at("ladders").at(0).at("rungs");
  ASSERT_EQ(rungs.size(), 4U);
  EXPECT_EQ(rungs.at(0).at("measured"), false);
  EXPECT_NE(rungs.at(0).at("reason"), "");
  EXPECT_EQ(rungs.at(1).at("published").at("speedup_first"), 2.0);
  EXPECT_TRUE(rungs.at(1).at("speedup_previous").is_null());
  EXPECT_GT(rungs.at(3).at("gips_kernel"), 0.0);
  const auto csv = ladder_csv({result});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  const auto columns =
      std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n')), ',');
  const auto last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
  EXPECT_EQ(std::count(last.begin(), last.end(), ','), columns);
  const auto missing =
      csv.substr(csv.find("mine,missing"), csv.find("mine,second") - csv.find("mine,missing"));
  EXPECT_EQ(std::count(missing.begin(), missing.end(), ','), columns);
  const auto table = ladder_table(result);
  for (const char* name : {"impossible", "first", "missing", "second", "not built yet"})
    EXPECT_NE(table.find(name), std::string::npos) << name;
}

TEST_F(LadderBenchmark, AFigureOfAnotherSizeSaysWhich) {
  LadderResult result{.ladder = ladder_, .bodies = 200, .galaxies = 2};
  LadderRow row{.rung = ladder_.rungs[1], .reason = "not today", .published = ladder_.rungs[1].published[1]};
  row.published->memory_mb = 12.5;
  row.published->with = "care";
  row.published_speedup = 3.0;
  result.rows.push_back(row);
  EXPECT_NE(ladder_table(result).find("3.00x @400"), std::string::npos) << ladder_table(result);
  EXPECT_NE(ladder_csv({result}).find(",400,12.5,\"care\"\n"), std::string::npos) << ladder_csv({result});
  result.bodies = 400;
  EXPECT_EQ(ladder_table(result).find('@'), std::string::npos);
  const auto json = ladder_json(table_, {result});
  EXPECT_EQ(json.at("ladders").at(0).at("rungs").at(0).at("published").at("memory_mb"), 12.5);
}

TEST_F(LadderBenchmark, WhatRungsDecideIsNotForTheCommandLine) {
  EXPECT_NO_THROW(
      check_ladder_assignments(table_, {"threads=2", "devices=0", "softening=0.1", "exposure=1"}));
  for (const char* each : {"kernel=sequential", "engine=cuda", "tile=64"})
    EXPECT_THROW(check_ladder_assignments(table_, {each}), sim::UsageError) << each;
  EXPECT_THROW(check_ladder_assignments(table_, {"softening=no"}), sim::UsageError);
}

}  // namespace
}  // namespace orrery::lab
