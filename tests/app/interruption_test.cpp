#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <thread>

#include "long_work_testing.h"
#include "sim/core/removed_at_exit.h"
#include "tests/eventually.h"
#include "tests/render/read_png.h"

// Work that takes long ends early when a person wants that, with what it has.
namespace {

namespace fs = std::filesystem;

using Clock = std::chrono::steady_clock;
using orrery::test::LongWork;
using orrery::test::Running;

TEST_F(LongWork, AnInterruptedRenderWritesThePictureAndTheStateReached) {
  for (const int signal : orrery::sim::ending_signals) {
    const auto name = "signal" + std::to_string(signal);
    Running render(folder_,
                   "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 64x48 -o " +
                       name + ".png --write-state " + name + ".bin");
    ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    render.send(signal);
    expect_interrupted(render.wait(), signal, render.errors());
    EXPECT_TRUE(has(render.errors(), "interrupted at step ")) << render.errors();
    EXPECT_TRUE(has(render.errors(), " of 1000000000\n")) << render.errors();
    EXPECT_EQ(orrery::render::read_png(path(name + ".png")).width, 64);
    EXPECT_EQ(orrery("info " + name + ".bin").status, 0);
    expect_nothing_half_written();
  }
}

TEST_F(LongWork, AnInterruptedSeriesIsComplete) {
  Running render(folder_,
                 "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --series out");
  const auto out = folder_ / "out";
  ASSERT_TRUE(orrery::test::eventually([&] { return fs::exists(out / "step-00000003.vtp"); }));
  render.send(SIGINT);
  expect_interrupted(render.wait(), SIGINT, render.errors());
  EXPECT_TRUE(has(render.output(), "series: ")) << render.output();
  const auto index = text_of(out / "series.pvd");
  for (const auto& each : fs::directory_iterator(out)) {
    const auto name = each.path().filename().string();
    EXPECT_TRUE(name == "series.pvd" || has(index, "\"" + name + "\"")) << name;
  }
}

/// Nobody can catch that: what is there is whole, and the index names nothing else.
TEST_F(LongWork, AKilledSeriesHasWholeFilesAndAnIndexOfThem) {
  for (int trial = 0; trial < 4; ++trial) {
    const auto name = "out" + std::to_string(trial);
    Running render(folder_,
                   "render plummer --engine cpu --untuned --bodies 3000 --steps 1000000000 --series " + name);
    const auto out = folder_ / name;
    ASSERT_TRUE(orrery::test::eventually([&] { return fs::exists(out / "step-00000004.vtp"); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(13 * trial));
    render.send(SIGKILL);
    render.wait();
    const auto index = text_of(out / "series.pvd");
    EXPECT_TRUE(index.ends_with("</VTKFile>\n"));
    std::size_t files = 0, named = 0;
    for (const auto& each : fs::directory_iterator(out)) {
      if (each.path().extension() != ".vtp") continue;
      ++files;
      const auto content = text_of(each.path());
      EXPECT_TRUE(content.ends_with("</VTKFile>")) << each.path();
      EXPECT_GT(content.size(), 3000U * 60U) << each.path();
    }
    for (auto at = index.find("file=\""); at != std::string::npos;
         at = index.find("file=\"", at + 1), ++named) {
      const auto file = index.substr(at + 6, index.find('"', at + 6) - at - 6);
      EXPECT_TRUE(fs::exists(out / file)) << file;
    }
    EXPECT_GE(named, 4U);
    EXPECT_LE(files, named + 1) << "the index lags by no more than the last file";
    EXPECT_EQ(orrery("info " + name + "/step-00000004.vtp").status, 0);
  }
}

TEST_F(LongWork, InterruptedFramesKeepWhatThereIsAndAddTheStepReached) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --frames 0,5,1000000000 --size 64x48 -o f.png");
  ASSERT_TRUE(render.read_until([&] { return fs::exists(path("f-step0000000005.png")); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGINT);
  expect_interrupted(render.wait(), SIGINT, render.errors());
  int pictures = 0;
  for (const auto& each : fs::directory_iterator(folder_))
    if (each.path().extension() == ".png") ++pictures;
  EXPECT_EQ(pictures, 3) << "of steps 0 and 5, and of the last one";
  EXPECT_FALSE(fs::exists(path("f-step1000000000.png")));
  expect_nothing_half_written();
}

TEST_F(LongWork, AnInterruptedDiagnosisKeepsItsRows) {
  Running command(folder_,
                  "diagnose plummer --engine cpu --bodies 300 --steps 1000000000 --every 1 -o rows.csv");
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  command.send(SIGINT);
  expect_interrupted(command.wait(), SIGINT, command.errors());
  EXPECT_TRUE(has(command.errors(), "what was measured before is written")) << command.errors();
  const auto rows = text_of(path("rows.csv"));
  EXPECT_GT(std::count(rows.begin(), rows.end(), '\n'), 2) << rows;
  expect_nothing_half_written();
}

TEST_F(LongWork, AReaderThatIsInterruptedTooLosesNothing) {
  // As in `orrery render | tee log`, where Ctrl+C ends both.
  expect_results_without_reader(SIGINT);
}

TEST_F(LongWork, AnInterruptedBenchReportsTheRowsItHas) {
  Running bench(folder_,
                "bench plummer --engine cpu --bodies 4000 --steps 300 --kernels simd,sequential --json "
                "b.json --csv b.csv");
  // The first row is there as soon as it is measured, on a pipe too; then one that takes forty times as long
  // begins.
  ASSERT_TRUE(bench.read_until([&] { return has(bench.output(), "\nsimd "); })) << bench.errors();
  bench.send(SIGINT);
  expect_interrupted(bench.wait(), SIGINT, bench.errors());
  EXPECT_FALSE(has(bench.output(), "\nsequential "));
  const auto rows = nlohmann::json::parse(text_of(path("b.json"))).at("rows");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.at(0).at("label"), "simd");
  EXPECT_TRUE(has(text_of(path("b.csv")), "\nsimd,"));
  expect_nothing_half_written();
}

TEST_F(LongWork, CsvOnStandardOutputGrowsToo) {
  Running bench(folder_,
                "bench plummer --engine cpu --bodies 4000 --steps 300 --kernels simd,sequential --csv -");
  ASSERT_TRUE(bench.read_until([&] { return has(bench.output(), "\nsimd,"); })) << bench.errors();
  EXPECT_TRUE(bench.output().starts_with("label,"));
  EXPECT_FALSE(has(bench.output(), "\nsequential,")) << "it came with the last row only";
}

TEST_F(LongWork, AnInterruptedSweepReportsTheCellsItHas) {
  Running sweep(
      folder_,
      "sweep kernel=simd:sequential plummer --engine cpu --bodies 20000 --steps 100000 --json s.json");
  ASSERT_TRUE(sweep.read_until([&] { return has(sweep.errors(), "combinations"); })) << sweep.errors();
  sweep.send(SIGINT);
  expect_interrupted(sweep.wait(), SIGINT, sweep.errors());
  EXPECT_EQ(nlohmann::json::parse(text_of(path("s.json"))).at("cells").size(), 2U);
  EXPECT_TRUE(has(sweep.output(), "interrupted before it was measured")) << sweep.output();
}

TEST_F(LongWork, AnInterruptedLadderReportsTheRungsItHas) {
  Running ladder(folder_, "ladder ece415-2022 --bodies 8000 --steps 1000 --json l.json");
  ASSERT_TRUE(ladder.read_until([&] { return has(ladder.errors(), ": "); })) << ladder.errors();
  ladder.send(SIGINT);
  expect_interrupted(ladder.wait(), SIGINT, ladder.errors());
  const auto rungs = nlohmann::json::parse(text_of(path("l.json"))).at("ladders").at(0).at("rungs");
  EXPECT_GT(rungs.size(), 1U);
  EXPECT_TRUE(has(ladder.output(), "interrupted before it was measured")) << ladder.output();
}

TEST_F(LongWork, AnInterruptedTuneKeepsWhatItCompared) {
  Running tune(folder_,
               "tune plummer --engine cpu --bodies 12000 --seconds 100000 --under-load --json t.json");
  const auto lines = [&] { return std::ranges::count(tune.output(), '\n'); };
  ASSERT_TRUE(tune.read_until([&] { return lines() >= 4; })) << tune.errors() << tune.output();
  tune.send(SIGINT);
  expect_interrupted(tune.wait(), SIGINT, tune.errors());
  const auto json = nlohmann::json::parse(text_of(path("t.json")));
  EXPECT_GE(json.at("trials").size(), 3U);
  EXPECT_TRUE(has(tune.output(), "configurations tried")) << tune.output();
  EXPECT_TRUE(fs::exists(folder_ / ".config" / "orrery" / "tuned.json"));
}

TEST_F(LongWork, SignalsThatComeTogetherAreOneWish) {
  // As `timeout` sends them; both are there when the program goes on.
  Running bench(folder_, "bench plummer --engine cpu --bodies 2000 --steps 100000000 --kernels simd");
  ASSERT_TRUE(bench.read_until([&] { return has(bench.errors(), "to warm up"); })) << bench.errors();
  bench.send(SIGSTOP);
  bench.send(SIGINT);
  bench.send(SIGTERM);
  bench.send(SIGCONT);
  const int status = bench.wait();
  ASSERT_TRUE(WIFEXITED(status)) << status << bench.errors();
  EXPECT_TRUE(WEXITSTATUS(status) == 130 || WEXITSTATUS(status) == 143) << status;
  EXPECT_TRUE(has(bench.errors(), "interrupted at ")) << bench.errors();
}

TEST_F(LongWork, InterruptedMakeInfoAndConvertLeaveNothingBehind) {
  ASSERT_EQ(orrery("make plummer --bodies 4000000 -o big.bin").status, 0);
  // The terminal shows when they are in the middle of it.
  const std::vector<std::pair<std::string, std::string>> commands{
      {"make disk --bodies 16000000 -o out.csv", "making disk"},
      {"info disk --bodies 16000000", "making disk"},
      {"convert big.bin out.csv", "writing out.csv"},
  };
  for (const auto& [arguments, shown] : commands) {
    Running command(folder_, arguments, true);
    ASSERT_TRUE(command.read_until([&] { return has(command.errors(), shown); })) << arguments;
    command.send(SIGINT);
    expect_interrupted(command.wait(), SIGINT, command.errors());
    EXPECT_FALSE(fs::exists(path("out.csv"))) << arguments;
    expect_nothing_half_written();
  }
}

/// The shell of a session that is closed hangs up, and so does the system when that shell has ended.
TEST_F(LongWork, ASecondHangUpChangesNothing) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 3000x3000 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGHUP);
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  render.send(SIGHUP);
  expect_interrupted(render.wait(), SIGHUP, render.errors());
  EXPECT_TRUE(fs::exists(path("p.png")));
}

/// `orrery render | head -1`: the reader is gone, the results are not.
TEST_F(LongWork, AReaderThatIsGoneLosesNothing) { expect_results_without_reader(SIGPIPE); }

/// Models, sums, files, tables and pictures that take seconds, in parts that look at nothing.
TEST_F(LongWork, EverythingIsGivenUpInTheMiddle) {
  const std::vector<std::pair<std::string, std::string>> commands{
      {"make plummer --bodies 20000000 -o out.bin", "making plummer"},
      {"make plummer --bodies 20000000 -o out.csv", "writing out.csv"},
      {"info milky-way-andromeda --bodies 10000000", "making milky-way"},
      {"render plummer --bodies 20000000 --engine cpu --untuned --steps 1 -o out.png", "making plummer"},
      {"bench plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"sweep kernel=simd plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"tune plummer --bodies 20000000 --engine cpu", "making plummer"},
      {"diagnose plummer --bodies 20000000 --engine cpu -o out.csv", "making plummer"},
      {"map plummer --bodies 20000000 --engine cpu -o out.png", "making plummer"},
      {"render plummer --bodies 3000 --engine cpu --untuned --steps 0 --size 16000x16000 -o out.png",
       "drawing with"},
  };
  for (const auto& [arguments, shown] : commands) {
    for (const int delay_ms : {100, 900}) {
      Running command(folder_, arguments, true);
      ASSERT_TRUE(command.read_until([&] { return has(command.errors(), shown); })) << arguments;
      std::this_thread::sleep_for(std::chrono::milliseconds(delay_ms));
      const double before = command.processor_seconds();
      command.send(SIGTERM);
      double after = 0.0;
      expect_interrupted(command.wait(&after), SIGTERM, command.errors());
      // Half a second by the clock, however busy the machine is; and all pages are given back.
      EXPECT_LT(after - before, 0.5 * std::thread::hardware_concurrency() + 1.0) << arguments;
      expect_nothing_half_written();
      for (const char* result : {"out.bin", "out.csv", "out.png"})
        EXPECT_FALSE(fs::exists(path(result))) << arguments;
    }
  }
}

/// A command that completes its results says so in time, and how it is ended at once.
TEST_F(LongWork, WhatTakesLongToCompleteSaysSo) {
  Running render(
      folder_,
      "render plummer --engine cpu --untuned --bodies 300 --steps 1000000000 --size 16000x16000 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); })) << render.errors();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  render.send(SIGTERM);
  EXPECT_TRUE(render.read_until([&] { return has(render.errors(), "results are being completed"); }));
  render.send(SIGTERM);
  EXPECT_TRUE(WIFSIGNALED(render.wait()));
  EXPECT_FALSE(fs::exists(path("p.png")));
  expect_nothing_half_written();
}

}  // namespace
