#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program_test.h"
#include "tests/render/read_png.h"

// The program as several processes: the same results, one voice, no half-written files.
namespace {

namespace fs = std::filesystem;

using orrery::test::Outcome;

class Ranks : public orrery::test::ProgramTest {
 protected:
  /// More ranks than cores, and as root in a container (which may forbid processes to read each other's
  /// memory), are wanted here.
  Outcome shell(const std::string& line) const {
    return ProgramTest::shell(
        "export OMP_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "
        "OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none "
        "OMPI_MCA_btl_vader_single_copy_mechanism=none; " +
        line);
  }
  Outcome one(const std::string& arguments) const { return shell("'" ORRERY_PROGRAM "' " + arguments); }
  static std::string mpirun(int ranks) { return "'" ORRERY_MPIRUN "' -n " + std::to_string(ranks) + " "; }
  Outcome several(int ranks, const std::string& arguments) const {
    return shell(mpirun(ranks) + "'" ORRERY_PROGRAM "' " + arguments);
  }
  /// Started as if by mpirun, without one.
  Outcome as_rank(int rank, int size, const std::string& program, const std::string& arguments) const {
    return shell("OMPI_COMM_WORLD_RANK=" + std::to_string(rank) +
                 " OMPI_COMM_WORLD_SIZE=" + std::to_string(size) + " '" + program + "' " + arguments);
  }
  static std::ptrdiff_t count(const std::string& text, const std::string& part) {
    std::ptrdiff_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
  /// The files in the folder besides the two streams.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const auto name = entry.path().filename().string();
      if (name != "out.txt" && name != "err.txt") names.push_back(name);
    }
    return names;
  }
};

/// Those that need an mpirun of the MPI that the program was built with.
class Mpirun : public Ranks {
 protected:
  void SetUp() override {
    Ranks::SetUp();
    if (std::string(ORRERY_MPIRUN).empty()) GTEST_SKIP() << "built without MPI";
    if (shell("'" ORRERY_MPIRUN "' --version").status != 0)
      GTEST_SKIP() << "mpirun does not run here: " << text_of(folder_ / "err.txt");
  }
};

TEST_F(Mpirun, OtherCommandsAreRefusedOnce) {
  for (const char* command : {"info plummer", "view plummer --display headless", "tune", "verify", "doctor",
                              "make plummer -o a.csv", "kernels", "convert a.csv b.csv", "pipeline"}) {
    const auto outcome = several(3, command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(outcome.output, "") << command;
    EXPECT_EQ(count(outcome.errors, "orrery: "), 1) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors,
                    "in one process, and mpirun started 3; start it without mpirun (render, bench, "
                    "ladder and sweep share their work)"))
        << outcome.errors;
  }
  EXPECT_TRUE(files().empty());
}

TEST_F(Mpirun, MistakesAreSaidOnce) {
  EXPECT_EQ(count(several(2, "bench --bogus").errors, "--bogus"), 1);
  EXPECT_EQ(count(several(3, "--version").output, "orrery "), 1);
}

/// Whoever would wait for another one's exchange would wait for ever, or get what it did not ask for.
TEST_F(Mpirun, ProcessesWithDifferentCommandsEndWithOneLine) {
  const std::string program = "'" ORRERY_PROGRAM "' ";
  const std::string render = "render plummer --bodies 100 --engine cpu --steps 2 --size 64x48 -o a.png";
  bool swapped = false;
  for (const std::string other :
       {"info plummer", "info plummer", "--version", "render --bogus", "nonsense",
        "render plummer --bodies 100 --engine cpu --steps 3 --size 64x48 -o a.png"}) {
    const auto& first = swapped ? other : render;
    const auto& second = swapped ? render : other;
    const auto outcome = shell(mpirun(1) + program + first + " : -n 1 " + program + second);
    EXPECT_EQ(outcome.status, 2) << other << outcome.errors;
    EXPECT_EQ(
        count(outcome.errors, "orrery: the processes of mpirun have different commands: `orrery " + first +
                                  "` (rank 0) and `orrery " + second + "` (rank 1); start all of them alike"),
        1)
        << outcome.errors;
    swapped = !swapped;
  }
  EXPECT_TRUE(files().empty());
}

/// Another program ends without joining: MPI waits for it for ever.
TEST_F(Mpirun, WhatIsNoOrreryIsNotWaitedForForEver) {
  const auto outcome = shell(mpirun(1) + "'" ORRERY_RANKS_PROGRAM "' alone : -n 1 true");
  EXPECT_EQ(outcome.status, 1) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "rank 0 of 2: the other processes of mpirun have not joined within 1 s"))
      << outcome.errors;
}

TEST_F(Mpirun, ThreadsMayDiffer) {
  const std::string bench =
      "'" ORRERY_PROGRAM "' bench plummer --bodies 100 --engine cpu --steps 2 --set threads=";
  const auto outcome = shell(mpirun(1) + bench + "1 : -n 1 " + bench + "2");
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
}

/// A copy of the program without its module: built without MPI, or moved without it.
TEST_F(Ranks, WithoutMpiItSaysSo) {
  fs::create_directories(folder_ / "elsewhere");
  fs::copy_file(ORRERY_PROGRAM, folder_ / "elsewhere" / "orrery");
  const auto first = as_rank(0, 2, path("elsewhere/orrery"), "bench --engine cpu --bodies 50 --steps 1");
  EXPECT_EQ(first.status, 1);
  EXPECT_EQ(first.output, "");
  EXPECT_EQ(count(first.errors, "\n"), 1) << first.errors;
  EXPECT_TRUE(first.errors.starts_with("orrery: cannot work as 2 processes: ")) << first.errors;
  EXPECT_NE(first.errors.find("MPI"), std::string::npos) << first.errors;
  const auto second = as_rank(1, 2, path("elsewhere/orrery"), "bench --engine cpu --bodies 50 --steps 1");
  EXPECT_EQ(second.status, 1);
  EXPECT_EQ(second.output, "");
  EXPECT_TRUE(second.errors.starts_with("orrery: rank 1 of 2: cannot work as 2 processes: "))
      << second.errors;
}

TEST_F(Ranks, ASingleProcessNeedsNoMpi) {
  EXPECT_EQ(
      as_rank(0, 1, ORRERY_PROGRAM, "bench --engine cpu --kernels sequential --bodies 50 --steps 1").status,
      0);
}

TEST_F(Mpirun, EveryBitIsThatOfOneProcess) {
  for (const int ranks : {1, 2, 3}) {
    const auto outcome = shell(mpirun(ranks) + "'" ORRERY_RANKS_PROGRAM "' compare");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(count(outcome.output, "in " + std::to_string(ranks) + " ranks: same\n"), 8) << outcome.output;
  }
}

/// Nobody walks the groups of another, which would add to the sums, and all have the same work.
TEST_F(Mpirun, RanksShareATree) {
  for (const std::string galaxies : {"1", "3"}) {
    double one = 0.0;
    for (const int ranks : {1, 2, 3}) {
      auto line = mpirun(ranks) + "'" ORRERY_RANKS_PROGRAM "' measure 12000 ";
      line.append(galaxies).append(" 1");
      const auto outcome = shell(line);
      ASSERT_EQ(outcome.status, 0) << outcome.errors;
      double all = 0.0, most = 0.0, imbalance = 0.0;
      ASSERT_EQ(std::sscanf(outcome.output.c_str(), "sums: all %lf most %lf imbalance %lf", &all, &most,
                            &imbalance),
                3)
          << outcome.output;
      if (ranks == 1) one = all;
      EXPECT_NEAR(all, one, 2.0) << ranks;
      EXPECT_LT(imbalance, 1.08) << ranks;
    }
  }
}

TEST_F(Mpirun, BenchFindsTheSameErrorAndSaysHowItWasCut) {
  for (const std::string galaxies : {"1", "3"}) {
    const auto arguments =
        "bench --engine cpu --kernels omp-bodies,sequential --set threads=1 --bodies 200 --steps 1 "
        "--galaxies " +
        galaxies;
    const auto expected = nlohmann::json::parse(one(arguments + " --json -").output);
    const auto outcome = several(2, arguments + " --overwrite --csv a.csv --json a.json");
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(count(outcome.output, "omp-bodies"), 1) << outcome.output;
    EXPECT_EQ(count(text_of(path("a.csv")), "\n"), 3);
    const auto json = nlohmann::json::parse(text_of(path("a.json")));
    ASSERT_EQ(json.at("rows").size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto& row = json.at("rows")[k];
      EXPECT_EQ(row.at("ranks"), 2);
      EXPECT_EQ(row.at("split"), galaxies == "1" ? "bodies" : "galaxies");
      EXPECT_EQ(row.at("force_error_median"), expected.at("rows")[k].at("force_error_median"));
      EXPECT_EQ(row.at("force_error_p99"), expected.at("rows")[k].at("force_error_p99"));
      EXPECT_GT(row.at("kernel_ms").get<double>(), 0.0);
      EXPECT_EQ(expected.at("rows")[k].at("ranks"), 1);
    }
  }
}

/// Decisions that depend on times, and rungs and cells that are refused, must be the same everywhere.
TEST_F(Mpirun, LaddersAndSweepsStayInStep) {
  const auto ladder = several(2, "ladder ece415-2022 --bodies 300 --json a.json");
  ASSERT_EQ(ladder.status, 0) << ladder.errors;
  const auto rungs = nlohmann::json::parse(text_of(path("a.json"))).at("ladders")[0].at("rungs");
  EXPECT_GT(std::ranges::count_if(rungs, [](const auto& rung) { return rung.at("measured") == true; }), 2);
  EXPECT_GT(std::ranges::count_if(rungs, [](const auto& rung) { return rung.at("measured") == false; }), 0);
  const auto sweep = several(3, "sweep kernel,threads=1:2 --engine cpu --bodies 200 --steps 1 --csv a.csv");
  EXPECT_EQ(sweep.status, 0) << sweep.errors;
  // Seven of the kernels can share a galaxy.
  EXPECT_EQ(count(text_of(path("a.csv")), "\n"), 15);
}

/// One galaxy in domains: two processes with two GPUs each, emulated ones, have the bits of one with four.
TEST_F(Mpirun, GpusOfSeveralProcessesShareAGalaxy) {
  const std::string arguments =
      "render disk --bodies 1200 --engine emulated --set family=tree --steps 2 --size 64x48 --write-state ";
  const auto alone = one(arguments + "one.csv -o one.png --devices 0,1,2,3");
  ASSERT_EQ(alone.status, 0) << alone.errors;
  const auto outcome = several(2, arguments + "two.csv -o two.png --devices 0,1");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(text_of(path("two.csv")) == text_of(path("one.csv")));
  EXPECT_GT(count(text_of(path("one.csv")), "\n"), 1200);
  // The memory of emulated GPUs is the host's, so every MPI takes it.
  const auto direct =
      several(2, arguments + "direct.csv -o direct.png --devices 0,1 --set ranks-transfer=direct");
  ASSERT_EQ(direct.status, 0) << direct.errors;
  EXPECT_TRUE(text_of(path("direct.csv")) == text_of(path("one.csv")));
  const auto bench = several(2,
                             "bench plummer --engine emulated --kernels tiled --bodies 200 --steps 1 --set "
                             "ranks-transfer=direct --json a.json");
  EXPECT_EQ(bench.status, 0) << bench.errors;
  EXPECT_NE(text_of(path("a.json")).find("positions from GPU memory by MPI"), std::string::npos);
  EXPECT_NE((bench.output + bench.errors).find("2 processes that divide the bodies"), std::string::npos);
  const auto refused =
      several(2, "bench plummer --engine emulated --kernels tensor-pairs --bodies 200 --steps 1");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.errors.find("it computes whole galaxies, and here processes share one"),
            std::string::npos)
      << refused.errors;
}

TEST_F(Mpirun, PicturesAndStatesAreThoseOfOneProcess) {
  const std::string arguments =
      "render disk --bodies 300 --galaxies 2 --engine cpu --set threads=1 --steps 3 --size 64x48 "
      "--write-state ";
  ASSERT_EQ(one(arguments + "one.csv -o one.png").status, 0) << text_of(path("err.txt"));
  for (const int ranks : {2, 3}) {
    const auto name = std::to_string(ranks);
    auto files = name;
    files.append(".csv -o ").append(name).append(".png");
    const auto outcome = several(ranks, arguments + files);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_EQ(count(outcome.output, "picture: "), 1) << outcome.output;
    EXPECT_TRUE(text_of(path(name + ".csv")) == text_of(path("one.csv"))) << name;
    const auto picture = orrery::render::read_png(path(name + ".png"));
    EXPECT_TRUE(picture.rgba == orrery::render::read_png(path("one.png")).rgba) << name;
  }
  EXPECT_GT(count(text_of(path("one.csv")), "\n"), 600);
  EXPECT_EQ(files().size(), 6U);
}

/// Rank 0 draws; the others send what they counted.
TEST_F(Mpirun, TheActivityMapIsThatOfOneProcess) {
  const std::string options =
      " --engine cpu --set threads=1 --set map-size=25 --set map-view=instead --set map-box=all";
  const std::string arguments = "render disk --bodies 400 --steps 2 --size 64x48" + options;
  ASSERT_EQ(one(arguments + " -o one.png").status, 0) << text_of(path("err.txt"));
  ASSERT_EQ(one("render disk --bodies 400 --steps 2 --size 64x48 --engine cpu -o none.png").status, 0);
  const auto expected = orrery::render::read_png(path("one.png")).rgba;
  EXPECT_NE(orrery::render::read_png(path("none.png")).rgba, expected);
  const auto outcome = several(3, arguments + " -o three.png");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_TRUE(orrery::render::read_png(path("three.png")).rgba == expected);
  const auto bench = several(2, "bench --engine cpu --kernel omp-bodies --bodies 200 --map 10 --json a.json");
  ASSERT_EQ(bench.status, 0) << bench.errors;
  const auto row = nlohmann::json::parse(text_of(path("a.json"))).at("rows")[0];
  EXPECT_EQ(row.at("map_size"), 10);
  EXPECT_GT(row.at("map_ms").get<double>(), 0.0);
}

TEST_F(Mpirun, WhatFailsEverywhereIsSaidOnce) {
  const auto outcome = several(3, "bench nowhere/x.bin --json a.json");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(count(outcome.errors, "orrery: there is no file 'nowhere/x.bin'"), 1) << outcome.errors;
  EXPECT_EQ(several(2, "bench --engine cpu --kernel pair-symmetric --bodies 100").status, 2);
  EXPECT_TRUE(files().empty());
}

TEST_F(Mpirun, ARankThatFailsIsNamed) {
  const auto outcome = shell(mpirun(3) + "'" ORRERY_RANKS_PROGRAM "' throw");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(count(outcome.errors, "orrery: rank 2 of 3: the last rank has had enough"), 1) << outcome.errors;
  const auto hurry = shell(mpirun(2) + "'" ORRERY_RANKS_PROGRAM "' hurry");
  EXPECT_NE(hurry.status, 0);
  EXPECT_EQ(count(hurry.errors, "orrery: rank 1 of 2: nobody comes"), 1) << hurry.errors;
}

/// A rank is killed in the middle of the steps: mpirun ends the others, and nothing is written.
TEST_F(Mpirun, ARankThatDiesEndsTheJob) {
  EXPECT_NE(shell(mpirun(2) + "'" ORRERY_RANKS_PROGRAM "' die").status, 0);
  const auto outcome =
      shell(mpirun(2) +
            "'" ORRERY_PROGRAM
            "' render plummer --bodies 500 --engine cpu --steps 100000000 --write-state "
            "a.csv -o a.png & "
            "until grep -q 'drawing with' err.txt || ! kill -0 $!; do sleep 0.05; done; sleep 0.2; "
            "for each in $(cat /proc/$!/task/$!/children); do victim=$each; done; kill -9 $victim; wait $!");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.errors.find("signal 9"), std::string::npos) << outcome.errors;
  EXPECT_TRUE(files().empty()) << files().front();
}

}  // namespace
