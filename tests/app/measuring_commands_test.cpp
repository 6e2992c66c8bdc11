#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line_testing.h"
#include "tests/render/read_png.h"

// Commands that measure: bench, sweep, tune.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;

TEST_F(CommandLine, BenchTakesOneKernel) {
  const auto labels = [this](const std::string& arguments) {
    const auto outcome = orrery("bench --bodies 100 --steps 1 --json - " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    std::string all;
    const auto json = nlohmann::json::parse(outcome.output);
    for (const auto& row : json.at("rows")) all += row.at("label").get<std::string>() + " ";
    return all;
  };
  EXPECT_EQ(labels("--kernel pair-symmetric"), "pair-symmetric ");
  EXPECT_EQ(labels("--set kernel=pair-symmetric"), "pair-symmetric ");
  EXPECT_EQ(labels("--kernel pair-symmetric --kernels sequential,omp-bodies"), "sequential omp-bodies ");
}

TEST_F(CommandLine, BenchSaysWhereItsTimeWent) {
  const auto outcome = orrery("bench --engine cpu --kernel simd --bodies 500 --steps 1 --times --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  for (const char* phase : {"dataset", "start the engine", "load", "first step", "steps", "check forces"}) {
    EXPECT_GT(json.at("seconds").at(phase).get<double>(), 0.0) << phase;
    EXPECT_TRUE(json.at("processor_seconds").contains(phase)) << phase;
    EXPECT_NE(outcome.errors.find(std::string("  ") + phase + "\n"), std::string::npos) << outcome.errors;
  }
  EXPECT_NE(outcome.errors.find("  in all\n"), std::string::npos) << outcome.errors;
}

TEST_F(CommandLine, AnOptionWithoutEffectIsNamed) {
  const std::string devices = "devices has no effect here: only the CUDA engine uses it\n";
  const std::string of_cpu = " plummer --bodies 100 --engine cpu --steps 1 --devices 0,1";
  for (const auto& command :
       {"bench --kernels simd,tree" + of_cpu, "sweep threads=1:2" + of_cpu, "map" + of_cpu + " -o map.csv",
        "diagnose" + of_cpu + " -o diagnosed.csv", "render" + of_cpu + " --size 64x64 -o picture.png"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.errors;
    EXPECT_NE(outcome.errors.find(devices), std::string::npos) << command << ": " << outcome.errors;
  }
  const auto used = orrery("bench plummer --bodies 100 --engine cpu --steps 1 --set threads=2");
  EXPECT_EQ(used.errors.find("no effect"), std::string::npos) << used.errors;
}

TEST_F(CommandLine, ASweepPrintsAHeatMap) {
  const auto outcome =
      orrery("sweep threads=1:2,kernel=sequential:omp-bodies --engine cpu --bodies 200 --steps 1");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel =\nthreads sequential"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("omp-bodies"), std::string::npos) << outcome.output;
  // In one cell, and in the line that says what it means.
  EXPECT_EQ(std::count(outcome.output.begin(), outcome.output.end(), '*'), 2) << outcome.output;
  EXPECT_NE(outcome.output.find("best: threads="), std::string::npos) << outcome.output;
}

TEST_F(CommandLine, ASweepIsWrittenAsJsonAndCsv) {
  const auto outcome =
      orrery("sweep threads=2:1,kernel --engine cpu --bodies 100 --steps 1 --json - --csv a.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("rows_option"), "threads");
  EXPECT_EQ(json.at("columns_option"), "kernel");
  ASSERT_EQ(json.at("cells").size(), 22U);
  EXPECT_EQ(json.at("cells").at(0).at("threads"), 2);
  double best = 0.0;
  for (const auto& cell : json.at("cells")) {
    best = std::max(best, cell.at("gips_kernel").get<double>());
    EXPECT_LT(cell.at("force_error_median").get<double>(), 1e-5) << cell;
  }
  EXPECT_EQ(json.at("best").at("gips_kernel").get<double>(), best);
  const auto csv = text_of(path("a.csv"));
  EXPECT_EQ(lines(csv), 23);
  EXPECT_TRUE(csv.starts_with("threads,kernel,kernel_ms,gips_kernel")) << csv;
}

TEST_F(CommandLine, RefusedCombinationsOfASweepHaveAReason) {
  // Forest-Ruth refuses the fused kernel; without a GPU the engine is refused already.
  const auto outcome = orrery(
      "sweep engine=cpu:cuda,update=separate:fused --set integrator=forest-ruth --bodies 100 --steps 1 "
      "--json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  const auto& refused = json.at("cells").at(3);
  EXPECT_EQ(refused.at("update"), "fused");
  EXPECT_FALSE(refused.at("refused").get<std::string>().empty());
  EXPECT_FALSE(refused.contains("gips_kernel"));
  EXPECT_TRUE(json.at("cells").at(0).contains("gips_kernel"));
}

TEST_F(CommandLine, TuneFindsAndRemembers) {
  // Tests run beside each other.
  const auto tuned = orrery("tune --engine cpu --bodies 300 --seconds 3 --under-load --json -");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  const auto json = nlohmann::json::parse(tuned.output);
  EXPECT_GE(json.at("speedup").get<double>(), 1.0);
  EXPECT_GE(json.at("trials").size(), 2U);
  const auto kernel = json.at("best").at("kernel").get<std::string>();
  const auto kept = nlohmann::json::parse(text_of(folder_ / ".config" / "orrery" / "tuned.json"));
  EXPECT_EQ(kept.at("results").at(0).at("settings").at("kernel"), kernel);
  const auto bench = orrery("bench --engine cpu --bodies 290 --steps 1 --tuned --json -");
  ASSERT_EQ(bench.status, 0) << bench.errors;
  EXPECT_EQ(nlohmann::json::parse(bench.output).at("rows").at(1).at("config").at("kernel"), kernel);
}

TEST_F(CommandLine, TuningTheGpuBeatsTheDefaultsOrKeepsThem) {
  if (orrery("bench --engine cuda --kernels tiled --bodies 500 --steps 1").status != 0)
    GTEST_SKIP() << "needs an NVIDIA GPU";
  const auto tuned = orrery("tune --engine cuda --bodies 16384 --seconds 30 --json -");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  const auto json = nlohmann::json::parse(tuned.output);
  EXPECT_GE(json.at("speedup").get<double>(), 1.0);
  EXPECT_GE(json.at("trials").size(), 10U);
  const auto bench = orrery("bench --engine cuda --bodies 16384 --steps 5 --tuned --json -");
  ASSERT_EQ(bench.status, 0) << bench.errors;
  const auto rows = nlohmann::json::parse(bench.output).at("rows");
  EXPECT_LT(rows.at(1).at("force_error_median").get<double>(), 1e-5);
  EXPECT_GT(rows.at(1).at("speedup").get<double>(), 0.9);
}

TEST_F(CommandLine, WithoutATunedResultBenchSaysWhatToDo) {
  const auto outcome = orrery("bench --engine cpu --bodies 100 --tuned");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("orrery tune"), std::string::npos) << outcome.errors;
}

TEST_F(CommandLine, BenchGivesCleanJsonForAllKernels) {
  const auto outcome = orrery("bench --kernels all --bodies 300 --steps 2 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  ASSERT_EQ(json.at("rows").size(), 11U);
  EXPECT_EQ(json.at("rows").at(0).at("label"), "sequential");
  EXPECT_EQ(json.at("rows").at(0).at("speedup"), 1.0);
  for (const auto& row : json.at("rows")) {
    EXPECT_LT(row.at("force_error_median").get<double>(), 1e-5) << row.at("label");
    EXPECT_GT(row.at("gips_kernel").get<double>(), 0.0);
    EXPECT_LE(row.at("gips_frame"), row.at("gips_kernel")) << row.at("label");
  }
}

TEST_F(CommandLine, BenchSaysThatNumbersAreNotFiniteAfterItsRows) {
  const auto outcome = orrery(
      "bench plummer --bodies 50 --steps 2 --engine cpu --kernel simd --set time-step=1e20 --csv a.csv");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.errors.find("simd: the "), std::string::npos) << outcome.errors;
  EXPECT_NE(outcome.errors.find("is not finite at step 3 "), std::string::npos) << outcome.errors;
  EXPECT_NE(text_of(folder_ / "a.csv").find("simd,"), std::string::npos);
}

TEST_F(CommandLine, BenchWritesFilesAndATable) {
  const auto outcome = orrery(
      "bench --kernels omp-bodies,sequential --bodies 200 --galaxies 2 --steps 1 --json a.json --csv a.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  // A line with the device, two of heads, one for each kernel; a busy machine adds a note.
  EXPECT_GE(lines(outcome.output), 5) << outcome.output;
  EXPECT_NE(outcome.output.find("\nomp-bodies "), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("\nsequential "), std::string::npos) << outcome.output;
  EXPECT_EQ(nlohmann::json::parse(text_of(path("a.json"))).at("rows").at(1).at("galaxies"), 2);
  EXPECT_EQ(lines(text_of(path("a.csv"))), 3);
}

TEST_F(CommandLine, TheCudaEngineRunsOrSaysWhatIsMissing) {
  const auto outcome = orrery("bench --engine cuda --kernels tiled --bodies 500 --steps 1 --json -");
  if (outcome.status == 0) {
    EXPECT_EQ(nlohmann::json::parse(outcome.output).at("device").at("kind"), "cuda");
  } else {
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.errors.find("engine"), std::string::npos) << outcome.errors;
  }
}

TEST_F(CommandLine, ARooflineShowsKernelsOfTheGpu) {
  for (const char* what : {"bench --engine cuda --kernels tiled,pairwise", "ladder best"}) {
    SCOPED_TRACE(what);
    const auto outcome = orrery(std::string(what) + " --bodies 4096 --steps 2 --json measured.json");
    if (outcome.status == 2) GTEST_SKIP() << "needs an NVIDIA GPU: " << outcome.errors;
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const auto drawn = orrery("plot roofline measured.json -o drawn.png");
    ASSERT_EQ(drawn.status, 0) << drawn.errors;
    EXPECT_EQ(orrery::render::read_png(path("drawn.png")).width, 1600);
    fs::remove(path("drawn.png"));
  }
  const auto json = nlohmann::json::parse(
      orrery("bench --engine cuda --kernels tiled --bodies 131072 --steps 5 --json -").output);
  const auto& kernel = json.at("rows").at(0).at("kernel");
  EXPECT_GT(kernel.at("slots_per_interaction").get<double>(), 13.0);
  EXPECT_GT(kernel.at("percent_of_issue_limit").get<double>(), 20.0);
  EXPECT_LT(kernel.at("percent_of_issue_limit").get<double>(), 101.0) << "more than the hardware can do";
}

TEST_F(CommandLine, EveryCommandTakesOnlyWhatItNeeds) {
  const auto help = [this](const std::string& command) { return orrery(command + " --help").output; };
  const auto has = [](const std::string& text, const std::string& flag) {
    return text.find("  " + flag + " ") != std::string::npos;
  };
  for (const char* flag : {"--ladder", "--ladders", "--sweep", "--pipeline", "--timeline"})
    EXPECT_FALSE(has(help("bench"), flag)) << flag;
  for (const char* flag : {"--kernels", "--kernel", "--engine", "--tuned", "--timeline"})
    EXPECT_FALSE(has(help("ladder"), flag)) << flag;
  for (const char* flag : {"--kernels", "--ladders", "--timeline"})
    EXPECT_FALSE(has(help("sweep"), flag)) << flag;
  for (const char* flag : {"--kernels", "--csv", "--tuned"})
    EXPECT_FALSE(has(help("pipeline"), flag)) << flag;
  for (const char* command : {"bench", "ladder", "sweep", "pipeline"})
    EXPECT_TRUE(has(help(command), "--json"));
}

TEST_F(CommandLine, AFolderOfLaddersNeedsALadder) {
  const auto outcome = orrery("verify --ladders .");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("--ladder"), std::string::npos);
}

}  // namespace
