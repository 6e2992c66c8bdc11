#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "long_work_testing.h"
#include "tests/eventually.h"
#include "tests/render/read_png.h"

// Work that takes long says how far it is, and minds streams that cannot be written.
namespace {

namespace fs = std::filesystem;

using orrery::test::LongWork;
using orrery::test::Running;

// ---- saying how far it is ----

constexpr const char* erased = "\r\033[K";

TEST_F(LongWork, OnATerminalALineSaysHowFarItIs) {
  const std::string plummer = " plummer --engine cpu --bodies 20000 ";
  const std::vector<std::pair<std::string, std::string>> commands{
      {"render" + plummer + "--steps 100000000 --size 64x48 -o p.png", "render: step "},
      {"bench" + plummer + "--steps 100000 --kernels simd", "bench: simd, 1 of 1, step "},
      {"sweep kernel=simd" + plummer + "--steps 100000", "sweep: combination 1 of 1"},
      {"tune" + plummer + "--seconds 100000 --kernel sequential", "tune: "},
      {"ladder ece415-2022 --bodies 8000 --galaxies 1 --steps 100000", "ladder: ece415-2022, rung 1 of "},
      {"verify" + plummer + "--steps 1000000", "verify: "},
      {"make disk --bodies 16000000 -o big.csv", "making disk"},
      {"info disk --bodies 16000000", "making disk"},
  };
  for (const auto& [arguments, shown] : commands) {
    Running command(folder_, arguments, true);
    const auto line = erased + shown;
    EXPECT_TRUE(command.read_until([&] {
      return has(command.errors(), line) && has(command.errors(), " left");
    })) << arguments
        << "\n"
        << command.errors().substr(0, 1000);
  }
}

TEST_F(LongWork, TheLineIsGoneAtTheEnd) {
  Running render(folder_,
                 "render plummer --engine cpu --bodies 20000 --steps 100000000 --size 64x48 -o p.png", true);
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "render: step"); })) << render.errors();
  render.send(SIGINT);
  render.wait();
  const auto& text = render.errors();
  const auto last = text.rfind(erased);
  ASSERT_NE(last, std::string::npos);
  EXPECT_FALSE(has(text.substr(last), "render:")) << text.substr(last);
  EXPECT_TRUE(has(text.substr(last), "interrupted at step")) << text.substr(last);
}

TEST_F(LongWork, APipeSeesNothingOfIt) {
  Running render(folder_,
                 "render plummer --engine cpu --bodies 20000 --steps 100000000 --size 64x48 -o p.png");
  ASSERT_TRUE(render.read_until([&] { return has(render.errors(), "drawing with"); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(2500));
  render.send(SIGINT);
  render.wait();
  EXPECT_FALSE(has(render.errors(), "\r")) << render.errors();
  EXPECT_FALSE(has(render.errors(), "\033")) << render.errors();
}

// ---- streams that cannot be written ----

TEST_F(LongWork, AStandardErrorThatCannotBeWrittenChangesNothing) {
  ASSERT_EQ(orrery("make plummer --bodies 100 -o p.csv").status, 0);
  for (const std::string& errors : {std::string(" 2>&-"), std::string(" 2>/dev/full")}) {
    EXPECT_EQ(orrery("bench plummer --engine cpu --bodies 200 --steps 1" + errors).status, 0) << errors;
    EXPECT_EQ(orrery("info p.csv" + errors).status, 0) << errors;
    EXPECT_EQ(orrery("info nowhere" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("info nowhere.csv" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("nonsense --nonsense" + errors).status, 2) << errors;
    EXPECT_EQ(orrery("tune --engine cpu --bodies 130 --seconds 0" + errors).status, 0) << errors;
    fs::remove(path("a.png"));
    EXPECT_EQ(
        orrery("render plummer --engine cpu --bodies 50 --steps 1 --size 64x48 -o a.png" + errors).status, 0);
    EXPECT_EQ(orrery::render::read_png(path("a.png")).width, 64);
  }
}

TEST_F(LongWork, AClosedStandardErrorIsNoPlaceForMessages) {
  // A file that is opened gets the lowest free number: without care that of standard error.
  ASSERT_EQ(orrery("make plummer --bodies 100 -o p.csv").status, 0);
  ASSERT_EQ(
      orrery("render p.csv --engine cpu --steps 1 --size 64x48 -o a.png --write-state s.csv 2>&- <&-").status,
      0);
  EXPECT_EQ(orrery("info s.csv").status, 0);
}

TEST_F(LongWork, AStandardOutputThatCannotBeWrittenIsAFailure) {
  for (const char* output : {" >&-", " >/dev/full"}) {
    for (const char* command :
         {"bench plummer --engine cpu --bodies 200 --steps 1", "info plummer", "completion bash", "kernels",
          "diagnose plummer --engine cpu --bodies 500 --every 1 --json -",
          "sweep kernel=simd plummer --engine cpu --bodies 200 --steps 1"}) {
      const auto outcome = orrery(std::string(command) + output);
      EXPECT_EQ(outcome.status, 1) << command << output;
      EXPECT_TRUE(has(outcome.errors, "cannot write to standard output: ")) << outcome.errors;
    }
  }
}

TEST_F(LongWork, AReaderThatHadEnoughIsNoFailure) {
  for (const char* before : {"", "trap '' PIPE; "}) {
    for (const char* command :
         {"bench plummer --engine cpu --bodies 500 --steps 1", "verify --physics --quick", "completion bash",
          "kernels", "diagnose plummer --engine cpu --bodies 500 --steps 2 --every 1 --json -"}) {
      const auto outcome =
          shell(std::string(before) + "{ '" ORRERY_PROGRAM "' " + command + "; echo $? >status; } | true");
      EXPECT_EQ(text_of(path("status")), "141\n") << before << command;
      EXPECT_FALSE(has(outcome.errors, "orrery:") || has(outcome.errors, "interrupted")) << outcome.errors;
    }
  }
}

// ---- tuning ----

TEST_F(LongWork, NoTimeForTuningRemembersNothing) {
  const auto tuned = orrery("tune plummer --engine cpu --bodies 300 --seconds 0");
  EXPECT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_TRUE(has(tuned.errors, "nothing is remembered")) << tuned.errors;
  EXPECT_FALSE(fs::exists(folder_ / ".config" / "orrery" / "tuned.json"));
}

TEST_F(LongWork, TuningSaysTheErrorOfWhatItChose) {
  const auto tuned = orrery(
      "tune plummer --engine cpu --bodies 300 --seconds 60 --kernel simd --set threads=1 --under-load");
  ASSERT_EQ(tuned.status, 0) << tuned.errors;
  EXPECT_TRUE(has(tuned.output, "its force error: median ")) << tuned.output;
  EXPECT_TRUE(has(tuned.output, "at most 1.0e-05 is taken")) << tuned.output;
  const auto strict = orrery(
      "tune plummer --engine cpu --bodies 300 --seconds 60 --kernel simd --set threads=1 --error 1e-12 "
      "--json -");
  ASSERT_EQ(strict.status, 0) << strict.errors;
  EXPECT_TRUE(has(strict.errors, "nothing is remembered")) << strict.errors;
  EXPECT_FALSE(nlohmann::json::parse(strict.output).at("remembered").get<bool>());
}

TEST_F(LongWork, LinesOfTuningFitIntoTheTerminal) {
  // With its reason each line has about 110 characters; a terminal that does not say how wide it is has 80.
  Running tune(folder_, "tune plummer --engine cpu --bodies 300 --seconds 60 --error 1e-12 --json -", true);
  tune.wait();
  std::istringstream lines(tune.errors());
  int shortened = 0;
  for (std::string line; std::getline(lines, line);) {
    // Of a slow run the line that says how far it is was there before, and was erased.
    if (const auto last_erased = line.rfind("\x1b[K"); last_erased != std::string::npos)
      line.erase(0, last_erased + 3);
    if (!has(line, "kernel=")) continue;
    EXPECT_LE(line.size(), 81U) << line;  // a terminal adds a carriage return
    shortened += has(line, "...") ? 1 : 0;
  }
  EXPECT_GT(shortened, 3) << tune.errors();
}

// ---- two runs on one name ----

TEST_F(LongWork, TwoRunsNeverWriteToOneName) {
  const std::string render =
      "render plummer --engine cpu --untuned --bodies 300 --size 64x48 --steps 1000000000 ";
  const std::string bench =
      "bench plummer --engine cpu --kernels sequential --bodies 4000 --steps 1000000000 ";
  struct Pair {
    std::string first, second, name;
  };
  for (const auto& [first, second, name] :
       {Pair{render + "-o a.png --checkpoint k", render + "-o b.png --checkpoint ./k", "k"},
        Pair{render + "-o c.png --write-state w.bin", render + "-o d.png --write-state w.bin", "w.bin"},
        Pair{render + "-o e.png", bench + "--json e.png", "e.png"},
        Pair{render + "--series s", render + "--record s --frames 2", "s"},
        Pair{bench + "--json j.json", bench + "--json j.json", "j.json"},
        Pair{bench + "--csv j.csv", "make plummer -o j.csv", "j.csv"}}) {
    Running running(folder_, first);
    ASSERT_TRUE(orrery::test::eventually([&] { return !text_of(path("." + name + ".lock")).empty(); }))
        << first;
    const auto refused = orrery(second);
    EXPECT_EQ(refused.status, 1) << second << refused.errors;
    EXPECT_TRUE(has(refused.errors, name + "' is being written by another run of orrery (process " +
                                        std::to_string(running.process()) + " on "))
        << refused.errors;
    EXPECT_EQ(std::count(refused.errors.begin(), refused.errors.end(), '\n'), 1) << refused.errors;
    running.send(SIGKILL);
    running.wait();
    EXPECT_TRUE(fs::exists(path("." + name + ".lock"))) << "nobody could remove it";
  }
  // What was left behind keeps nobody from a name, and is removed by who has it next.
  const auto next = orrery(
      "render plummer --engine cpu --untuned --bodies 300 --size 64x48 --steps 1 --checkpoint k "
      "-o a.png --write-state w.bin");
  EXPECT_EQ(next.status, 0) << next.errors;
  EXPECT_FALSE(fs::exists(path(".k.lock")));
  EXPECT_FALSE(fs::exists(path(".w.bin.lock")));
}

}  // namespace
