#include "app/session/checkpoint.h"

#include "app/picture/display_options.h"
#include "program_test.h"
#include "sim/core/error.h"
#include "sim/engines/checkpoint_file.h"
#include "tests/render/read_png.h"

// Runs of the program that end and go on: --checkpoint, --every, --resume.
namespace {

namespace fs = std::filesystem;
using orrery::app::CheckpointSchedule;
using orrery::app::parse_pace;

class CheckpointCommand : public orrery::test::ProgramTest {
 protected:
  orrery::test::Outcome orrery(const std::string& arguments) const {
    return shell("'" ORRERY_PROGRAM "' " + arguments);
  }
  /// Of a cluster of 40 bodies.
  orrery::test::Outcome run(const std::string& arguments) const {
    return orrery("render plummer --bodies 40 --engine cpu --untuned --set trails=off --size 64x48 " +
                  arguments);
  }
  /// A run without end that gets a signal so many seconds after `file` is there; its status.
  orrery::test::Outcome ended_by(const std::string& signal, const std::string& file, const std::string& delay,
                                 const std::string& arguments) const {
    return shell("'" ORRERY_PROGRAM
                 "' render plummer --bodies 40 --engine cpu --untuned --set trails=off "
                 "--size 64x48 --steps 1000000000 " +
                 arguments + " & process=$!; while [ ! -e " + file +
                 " ] && kill -0 $process; do sleep 0.01; done; sleep " + delay + "; kill -" + signal +
                 " $process; wait $process");
  }
  void expect_good(const orrery::test::Outcome& outcome) const {
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
  }
  /// One line that says this much.
  void expect_refused(const orrery::test::Outcome& outcome, const std::string& why, int status = 1) const {
    EXPECT_EQ(outcome.status, status) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, why)) << outcome.errors;
  }
  std::uint64_t step_of(const std::string& name) const {
    return orrery::sim::read_checkpoint(folder_ / name).engine.steps;
  }
};

TEST_F(CheckpointCommand, AResumedRunEndsWithTheBytesOfAnUninterruptedOne) {
  expect_good(run("--steps 60 -o whole.png --write-state whole.bin"));
  const auto first = run("--steps 30 --checkpoint run.ck --every 20 -o half.png --write-state half.bin");
  expect_good(first);
  EXPECT_TRUE(has(first.output, "checkpoint: run.ck (step 30)")) << first.output;
  EXPECT_EQ(step_of("run.ck"), 30U);
  EXPECT_EQ(step_of("run.ck.previous"), 20U);
  const auto second = orrery("render --resume run.ck --steps 60 --size 64x48 -o r.png --write-state r.bin");
  expect_good(second);
  EXPECT_TRUE(has(second.errors, "goes on from step 30")) << second.errors;
  EXPECT_TRUE(has(second.output, "30 steps in")) << second.output;
  EXPECT_EQ(text_of(folder_ / "r.bin"), text_of(folder_ / "whole.bin"));
  EXPECT_NE(text_of(folder_ / "half.bin"), text_of(folder_ / "whole.bin"));
  EXPECT_EQ(orrery::render::read_png(path("r.png")).rgba, orrery::render::read_png(path("whole.png")).rgba);
}

TEST_F(CheckpointCommand, ARunThatIsKilledGoesOnFromWhatIsThere) {
  expect_good(run("--steps 3000 -o whole.png --write-state whole.bin"));
  for (const std::string delay : {"0", "0.004", "0.03"}) {
    const auto file = "killed" + delay;
    ended_by("KILL", file + ".previous", delay, "--checkpoint " + file + " --every 1 -o no.png");
    EXPECT_FALSE(fs::exists(folder_ / "no.png"));
    const auto reached = step_of(file);
    ASSERT_LT(reached, 3000U);
    const auto resumed = orrery("render --resume " + file + " --steps 3000 --size 64x48 -o " + file +
                                ".png --write-state " + file + ".bin");
    expect_good(resumed);
    EXPECT_TRUE(has(resumed.output, std::to_string(3000 - reached) + " steps in")) << resumed.output;
    EXPECT_EQ(text_of(folder_ / (file + ".bin")), text_of(folder_ / "whole.bin")) << delay;
  }
}

TEST_F(CheckpointCommand, ASignalWritesOneLast) {
  for (const auto& [signal, status] :
       {std::pair("TERM", 143), std::pair("HUP", 129), std::pair("USR1", 138)}) {
    const std::string run = signal, series = "series-" + run;
    const auto outcome = ended_by(signal, series + "/step-00000003.vtp", "0",
                                  "--checkpoint " + run + " --every 1h --series " + series);
    EXPECT_EQ(outcome.status, status) << outcome.errors;
    const auto step = std::to_string(step_of(run));
    EXPECT_TRUE(has(outcome.output, "checkpoint: " + run + " (step " + step + ")")) << outcome.output;
    EXPECT_TRUE(has(outcome.errors, "interrupted at step " + step + " of 1000000000")) << outcome.errors;
    // And the end of the run is known.
    EXPECT_EQ(orrery::app::read_checkpoint(orrery::app::all_options(), folder_ / run).last_step, 1000000000U);
  }
}

TEST_F(CheckpointCommand, APairGoesOnInTheSamePair) {
  expect_good(run("--steps 20 --checkpoint run.ck --every 10 -o a.png"));
  expect_good(orrery("render --resume run.ck --checkpoint run.ck --every 10 --steps 30 -o b.png"));
  EXPECT_EQ(step_of("run.ck"), 30U);
  EXPECT_EQ(step_of("run.ck.previous"), 20U);
  // A damaged one does not replace the whole one.
  fs::resize_file(folder_ / "run.ck", 200);
  const auto refused = orrery("render --resume run.ck -o c.png");
  expect_refused(refused, "run.ck.previous' is whole, of step 20: use that");
  expect_good(orrery("render --resume run.ck.previous --checkpoint run.ck --every 100 --steps 25 -o d.png"));
  EXPECT_EQ(step_of("run.ck"), 25U);
  EXPECT_EQ(step_of("run.ck.previous"), 20U);
}

TEST_F(CheckpointCommand, OtherOptionsAreSaid) {
  expect_good(run("--steps 10 --checkpoint run.ck -o a.png"));
  const auto changed = orrery("render --resume run.ck --steps 12 --set softening=0.3 -o b.png");
  expect_good(changed);
  EXPECT_TRUE(has(changed.errors, "options have changed since the checkpoint")) << changed.errors;
  const auto display = orrery("render --resume run.ck --steps 12 --set exposure=1 -o c.png");
  expect_good(display);
  EXPECT_FALSE(has(display.errors, "options have changed")) << display.errors;
}

TEST_F(CheckpointCommand, PicturesOnTheWayAndSeriesGoOn) {
  expect_good(run("--frames 10,20,30 --checkpoint run.ck --every 20 -o a.png"));
  expect_good(
      orrery("render --resume run.ck.previous --frames 10,20,30 --size 64x48 -o b.png --series s "
             "--every 5 --format csv"));
  EXPECT_FALSE(fs::exists(folder_ / "b-step20.png"));
  EXPECT_EQ(orrery::render::read_png(path("b-step30.png")).rgba,
            orrery::render::read_png(path("a-step30.png")).rgba);
  EXPECT_TRUE(fs::exists(folder_ / "s" / "step-00000025.csv"));
  EXPECT_FALSE(fs::exists(folder_ / "s" / "step-00000015.csv"));
  expect_refused(orrery("render --resume run.ck --frames 10,20 -o c.png"), "is of step 30 already", 2);
}

TEST_F(CheckpointCommand, WhatCannotBeIsRefusedBeforeItBegins) {
  expect_good(run("--steps 10 --checkpoint run.ck -o a.png --write-state data.bin"));
  const auto before = text_of(folder_ / "run.ck");
  expect_refused(run("--steps 5 --checkpoint run.ck -o b.png"), "is a checkpoint: go on with --resume");
  expect_refused(run("--steps 5 --checkpoint data.bin -o b.png"), "is no checkpoint; name another file");
  expect_refused(run("--steps 5 --checkpoint no/run.ck -o b.png"), "cannot write");
  expect_refused(run("--steps 5 --every 3 -o b.png"), "--every is for --series DIR or --checkpoint FILE", 2);
  expect_refused(run("--steps 5 --series s --every 3s"), "a series counts steps", 2);
  for (const std::string bad : {"0", "-1", "3x", "s", "1e3", "99999999999999999999", "9999999999h"})
    expect_refused(run("--steps 5 --checkpoint x --every=" + bad + " -o b.png"), "--every takes a number", 2);
  expect_refused(orrery("render plummer --resume run.ck -o b.png"), "leave DATA, --state", 2);
  expect_refused(orrery("render --bodies 5 --resume run.ck -o b.png"), "leave DATA, --state", 2);
  expect_refused(orrery("render --resume run.ck --steps 9 -o b.png"), "is of step 10 already", 2);
  expect_refused(orrery("render --resume nowhere -o b.png"), "there is no checkpoint 'nowhere'", 2);
  expect_refused(orrery("render --resume data.bin -o b.png"), "it is no checkpoint of orrery");
  expect_refused(orrery("info run.ck"), "is a checkpoint: orrery render --resume 'run.ck' goes on with it");
  expect_refused(orrery("render run.ck -o b.png"), "is a checkpoint: go on with it by --resume", 2);
  EXPECT_EQ(text_of(folder_ / "run.ck"), before);
  EXPECT_FALSE(fs::exists(folder_ / "b.png"));
}

/// A limit of file sizes stands for the full disk.
TEST_F(CheckpointCommand, AnOutputThatCannotBeWrittenKeepsNoOtherFromIt) {
  for (const std::string output : {"--checkpoint run.ck --every 1", "--write-state state.bin"}) {
    const auto outcome = shell("ulimit -f 40; '" ORRERY_PROGRAM
                               "' render plummer --bodies 3000 --engine cpu --untuned --steps 3 --set "
                               "trails=off --size 64x48 -o a.png " +
                               output);
    expect_refused(outcome, "orrery: cannot write '");
    EXPECT_TRUE(has(outcome.output, "picture: a.png")) << outcome.output;
    EXPECT_FALSE(has(outcome.output, "state: ") || has(outcome.output, "checkpoint: ")) << outcome.output;
    EXPECT_TRUE(fs::remove(folder_ / "a.png")) << output;
  }
}

TEST_F(CheckpointCommand, ADatasetThatHasChangedIsNoticed) {
  expect_good(run("--steps 3 --write-state data.csv -o a.png"));
  expect_good(orrery("render data.csv --engine cpu --untuned --steps 5 --checkpoint run.ck -o b.png"));
  expect_good(run("--steps 4 --write-state other.csv -o c.png"));
  fs::rename(folder_ / "other.csv", folder_ / "data.csv");
  expect_refused(orrery("render --resume run.ck --steps 9 -o d.png"), "is not the one of the checkpoint");
}

TEST_F(CheckpointCommand, ADatasetThatIsGoneIsSaidToBeGone) {
  expect_good(run("--steps 3 --write-state data.csv -o a.png"));
  expect_good(orrery("render data.csv --engine cpu --untuned --steps 5 --checkpoint run.ck -o b.png"));
  fs::remove(folder_ / "data.csv");
  const auto gone = orrery("render --resume run.ck --steps 9 -o d.png");
  expect_refused(
      gone,
      "data.csv', and there is no such file; if it has moved, name it yourself: DATA --resume 'run.ck'");
}

TEST(CheckpointPace, StepsAndTimesAreRead) {
  EXPECT_EQ(parse_pace("100").steps, 100U);
  EXPECT_EQ(parse_pace("30s").time, std::chrono::seconds(30));
  EXPECT_EQ(parse_pace("10min").time, std::chrono::minutes(10));
  EXPECT_EQ(parse_pace("2h").time, std::chrono::hours(2));
  EXPECT_EQ(parse_pace("2h").steps, 0U);
  EXPECT_THROW(parse_pace(""), orrery::sim::UsageError);
}

TEST(CheckpointPace, OneIsDueAsOftenAsAsked) {
  const orrery::test::TemporaryFolder folder;
  CheckpointSchedule by_steps({.file = folder / "a", .pace = {.steps = 10}, .resume = {}}, {}, 0);
  EXPECT_FALSE(by_steps.is_due(9));
  EXPECT_TRUE(by_steps.is_due(10));
  EXPECT_TRUE(by_steps.is_due(13)) << "steps in between were not seen";
  EXPECT_FALSE(by_steps.begin(13)) << "there is none before";
  EXPECT_FALSE(by_steps.is_due(19));
  EXPECT_TRUE(by_steps.is_due(20));
  EXPECT_TRUE(by_steps.begin(20));
  EXPECT_FALSE(by_steps.lacks(20));
  EXPECT_TRUE(by_steps.lacks(21));
  CheckpointSchedule by_time(
      {.file = folder / "b", .pace = {.steps = 0, .time = std::chrono::seconds(0)}, .resume = {}}, {}, 5);
  EXPECT_FALSE(by_time.is_due(5)) << "it is the one that the run began with";
  EXPECT_TRUE(by_time.is_due(6));
  CheckpointSchedule rarely(
      {.file = folder / "c", .pace = {.steps = 0, .time = std::chrono::hours(1)}, .resume = {}}, {}, 5);
  EXPECT_FALSE(rarely.is_due(1000));
}

}  // namespace
