#include "sim/engines/checkpoint_file.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "sim/core/error.h"
#include "sim/cpu/kernel.h"
#include "sim/physics/fields/external_field.h"
#include "sim/physics/integrators/integrator.h"
#include "tests/sim/engines/engine_cases.h"
#include "tests/temporary_folder.h"

// A run that goes on from a checkpoint ends with the bits of one that was never interrupted.
namespace orrery::sim {
namespace {

namespace fs = std::filesystem;
using Assignments = std::vector<std::string>;

/// Every array of the state: what a checkpoint at this step would hold.
void expect_same_state(const EngineState& a, const EngineState& b, const std::string& what) {
  EXPECT_TRUE(checks::same_bits(a.position, b.position)) << what;
  EXPECT_TRUE(checks::same_bits(a.velocity, b.velocity)) << what;
  EXPECT_EQ(a, b) << what;
}

class Checkpoints : public testing::Test {
 protected:
  static Configuration configured(const Assignments& assignments) {
    auto configuration = checks::simulation_options().defaults();
    for (const char* each : {"engine=cpu", "threads=2", "time-step=0.01", "softening=0.05"})
      checks::simulation_options().assign(configuration, each);
    for (const auto& each : assignments) checks::simulation_options().assign(configuration, each);
    return configuration;
  }
  static void advance(Engine& engine, int steps) {
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(engine.advance({}));
  }
  EngineState through_a_file(const EngineState& state) const {
    write_checkpoint(folder_ / "run", "{}", state, true);
    return read_checkpoint(folder_ / "run").engine;
  }
  /// 11 steps, a file, another engine and 12 more steps against 23 in one go.
  void expect_goes_on(const Assignments& assignments, const Bodies& bodies) const {
    const auto what = testing::PrintToString(assignments);
    const auto configuration = configured(assignments);
    const auto whole = checks::loaded(configuration, bodies);
    advance(*whole, 23);
    auto first = checks::loaded(configuration, bodies);
    advance(*first, 11);
    const auto half = through_a_file(first->save_state());
    EXPECT_EQ(half.steps, 11U) << what;
    first.reset();
    const auto second = checks::loaded(configuration, bodies);
    EXPECT_TRUE(second->restore_state(half)) << what;
    expect_same_state(second->save_state(), half, what);
    advance(*second, 12);
    expect_same_state(second->save_state(), whole->save_state(), what);
    EXPECT_EQ(second->status().time, whole->status().time) << what;
  }
  static std::string text_of(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  static void save(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::binary) << text;
  }
  /// The message of the reader.
  static std::string refusal(const fs::path& file) {
    try {
      read_checkpoint(file);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  }
  static EngineState small_state(std::uint64_t steps) {
    EngineState state{.time = 0.25, .steps = steps, .position = {}, .velocity = {}, .form = "cpu"};
    state.position = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    state.velocity = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    state.add("odd", std::as_bytes(std::span("eleven byte")));
    return state;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Checkpoints, EveryIntegratorGoesOnBitForBit) {
  const auto bodies = checks::ragged_bodies(60, 2);
  for (const auto* integrator : integrators()) {
    const auto name = "integrator=" + std::string(integrator->name);
    expect_goes_on({name, "kernel=sequential", "state-precision=single"}, bodies);
    expect_goes_on({name, "kernel=sequential", "state-precision=compensated"}, bodies);
  }
}

TEST_F(Checkpoints, AdaptiveStepsGoOnBitForBit) {
  const auto bodies = checks::ragged_bodies(60, 2);
  for (const char* integrator : {"integrator=leapfrog", "integrator=yoshida"})
    for (const char* state : {"state-precision=single", "state-precision=compensated"})
      for (const char* rule : {"step=adaptive:0.05", "step=even:0.05"})
        expect_goes_on({integrator, state, rule}, bodies);
}

TEST_F(Checkpoints, EveryKernelGoesOnBitForBit) {
  const auto bodies = checks::ragged_bodies(150, 3);
  for (const auto* kernel : cpu_kernels()) {
    const auto name = "kernel=" + std::string(kernel->name);
    expect_goes_on({name}, bodies);
    expect_goes_on({name, "integrator=symplectic-euler"}, bodies);
    expect_goes_on({name, "dimensions=2"}, bodies);
  }
}

/// With more bodies than a leaf holds.
TEST_F(Checkpoints, TheTreeGoesOnBitForBit) {
  const auto bodies = checks::ragged_bodies(3000, 2);
  for (const char* opening : {"opening=relative", "opening=geometric"})
    expect_goes_on({"kernel=tree", opening}, bodies);
}

/// Charges feel velocities: forces computed anew from the state would be others.
TEST_F(Checkpoints, ChargesFieldsAndTracersGoOnBitForBit) {
  const auto charged = checks::charged_bodies(60);
  for (const auto* integrator : integrators()) {
    if (integrator->has_jerks()) continue;  // not known of charges
    expect_goes_on(
        {"force-law=electric:1:0.5", "kernel=sequential", "integrator=" + std::string(integrator->name)},
        charged);
  }
  const auto bodies = checks::ragged_bodies(60, 2);
  for (const auto* field : external_fields())
    expect_goes_on({checks::field_setting(*field, {.field_mass = 2.0})}, bodies);
  auto tracers = bodies;
  for (std::size_t i = 0; i < tracers.size(); i += 2) tracers.mass[i] = 0.0F;
  expect_goes_on({}, tracers);
}

/// In SI units the engine computes in a frame of its own, in which every bit counts.
TEST_F(Checkpoints, LargeNumbersGoOnBitForBit) {
  auto bodies = checks::ragged_bodies(60);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.position[i] *= 1e17F;
    bodies.velocity[i] *= 26.0F;
    bodies.mass[i] *= 1e30F;
  }
  const Assignments si{"gravity=6.674e-11", "softening=5e15", "time-step=4e13"};
  for (const char* precision : {"state-precision=single", "state-precision=compensated"}) {
    auto assignments = si;
    assignments.emplace_back(precision);
    expect_goes_on(assignments, bodies);
  }
  const auto engine = checks::loaded(configured(si), bodies);
  advance(*engine, 3);
  const auto saved = engine->save_state();
  EXPECT_NE(saved.form.find(" in frame "), std::string::npos) << saved.form;
  EXPECT_EQ(saved.time, engine->status().time);
  Bodies now = bodies;
  engine->read_back(now);
  EXPECT_TRUE(checks::same_bits(now.position, saved.position));
  EXPECT_TRUE(checks::same_bits(now.velocity, saved.velocity));
  // Another frame takes positions and velocities.
  const auto other = checks::loaded(configured({}), checks::ragged_bodies(60));
  EXPECT_FALSE(other->restore_state(saved));
  other->read_back(now);
  EXPECT_TRUE(checks::same_bits(now.position, saved.position));
}

/// Shows that the comparison notices what a file leaves out.
TEST_F(Checkpoints, WhatIsForgottenIsNoticed) {
  const auto bodies = checks::charged_bodies(60);
  const auto configuration =
      configured({"force-law=electric:1:0.5", "kernel=sequential", "state-precision=compensated"});
  const auto whole = checks::loaded(configuration, bodies);
  advance(*whole, 11);
  const auto half = whole->save_state();
  advance(*whole, 12);
  for (const std::string forgotten : {"acceleration", "position-low", "velocity-low"}) {
    auto state = half;
    ASSERT_EQ(std::erase_if(state.arrays, [&](const auto& array) { return array.name == forgotten; }), 1U);
    const auto engine = checks::loaded(configuration, bodies);
    EXPECT_EQ(engine->restore_state(state), forgotten == "acceleration");
    advance(*engine, 12);
    EXPECT_NE(engine->save_state(), whole->save_state()) << forgotten;
  }
}

TEST_F(Checkpoints, AStepThatIsInterruptedIsMadeAgainWithTheSameBits) {
  const auto bodies = checks::charged_bodies(400);
  const auto configuration = configured({"force-law=electric:1:0.5", "kernel=sequential"});
  const auto whole = checks::loaded(configuration, bodies);
  advance(*whole, 6);
  const auto engine = checks::loaded(configuration, bodies);
  advance(*engine, 3);
  const auto before = engine->save_state();
  const std::atomic<bool> interrupt{true};
  EXPECT_FALSE(engine->advance({.interrupt = &interrupt}));
  expect_same_state(engine->save_state(), before, "in the middle of a step");
  advance(*engine, 3);
  expect_same_state(engine->save_state(), whole->save_state(), "three steps later");
}

TEST_F(Checkpoints, AnotherShapeGoesOnFromPositionsAndVelocities) {
  const auto bodies = checks::ragged_bodies(60);
  const auto compensated = checks::loaded(configured({"state-precision=compensated"}), bodies);
  advance(*compensated, 5);
  const auto saved = compensated->save_state();
  const auto single = checks::loaded(configured({"state-precision=single"}), bodies);
  EXPECT_FALSE(single->restore_state(saved));
  EXPECT_EQ(single->status().steps, 5U);
  EXPECT_EQ(single->status().time, compensated->status().time);
  Bodies now = bodies;
  single->read_back(now);
  EXPECT_TRUE(checks::same_bits(now.position, saved.position));
  EXPECT_THROW(checks::loaded(configured({}), checks::ragged_bodies(59))->restore_state(saved), Error);
}

TEST_F(Checkpoints, ForcesOfOtherOptionsAreForgotten) {
  auto state = small_state(1);
  state.add("acceleration", state.position);
  state.add("acceleration-ahead-0", state.position);
  state.forget_forces();
  EXPECT_EQ(state, small_state(1));
}

TEST_F(Checkpoints, AFileHoldsEveryBit) {
  auto state = small_state(7);
  state.time = 0.1 + 0.2;
  write_checkpoint(folder_ / "run", R"({"a": "ä\n"})", state, true);
  const auto back = read_checkpoint(folder_ / "run");
  EXPECT_EQ(back.engine, state);
  EXPECT_EQ(back.about, R"({"a": "ä\n"})");
  EXPECT_TRUE(looks_like_checkpoint(folder_ / "run"));
  save(folder_ / "text", "ORRERYC");
  EXPECT_FALSE(looks_like_checkpoint(folder_ / "text"));
  EXPECT_FALSE(looks_like_checkpoint(folder_.path()));
}

TEST_F(Checkpoints, TheOneBeforeIsKept) {
  const auto file = folder_ / "run.checkpoint";
  for (std::uint64_t step = 1; step <= 3; ++step) write_checkpoint(file, "{}", small_state(step), true);
  EXPECT_EQ(read_checkpoint(file).engine.steps, 3U);
  EXPECT_EQ(read_checkpoint(previous_checkpoint(file)).engine.steps, 2U);
  write_checkpoint(file, "{}", small_state(4), false);
  EXPECT_EQ(read_checkpoint(file).engine.steps, 4U);
  EXPECT_EQ(read_checkpoint(previous_checkpoint(file)).engine.steps, 2U)
      << "a damaged file must not replace it";
  EXPECT_EQ(folder_.entries(), 2U);
}

TEST_F(Checkpoints, DamagedFilesAreRefusedAndTheOneBeforeIsNamed) {
  const auto file = folder_ / "run";
  write_checkpoint(file, R"({"x": 1})", small_state(300), true);
  write_checkpoint(file, R"({"x": 1})", small_state(400), true);
  const auto good = text_of(file);
  const auto expect_refused = [&](const std::string& text, const std::string& why) {
    save(file, text);
    const auto said = refusal(file);
    EXPECT_NE(said.find(why), std::string::npos) << said;
    EXPECT_NE(said.find("run.previous' is whole, of step 300: use that"), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  };
  for (std::size_t at = 0; at < good.size(); ++at) {
    auto bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    expect_refused(bad, at < 8 ? "no checkpoint of orrery" : at < 16 ? "another version" : "damaged");
  }
  for (std::size_t size = 1; size < good.size(); ++size)
    expect_refused(good.substr(0, size), size < 8 ? "no checkpoint of orrery" : "damaged");
  expect_refused("", "run'");
  expect_refused(good + "more bytes, in 20 .", "damaged");
  fs::remove(file);
  EXPECT_NE(refusal(file).find("run.previous' is whole"), std::string::npos) << refusal(file);
  save(previous_checkpoint(file), good.substr(0, 100));
  save(file, good.substr(0, 80));
  EXPECT_NE(refusal(file).find("; use another checkpoint"), std::string::npos) << refusal(file);
  EXPECT_EQ(refusal(folder_ / "nowhere").find("there is no checkpoint"), 0U) << refusal(folder_ / "nowhere");
}

/// A child that writes checkpoints until it is killed, at moments that differ.
void write_until_killed(const fs::path& file) {
  EngineState state;
  state.position.resize(20'000);
  state.velocity.resize(20'000);
  for (std::uint64_t step = 1;; ++step) {
    state.steps = step;
    write_checkpoint(file, "{}", state, true);
  }
}

TEST_F(Checkpoints, WhoeverIsKilledLeavesAWholeFile) {
  for (int trial = 0; trial < 25; ++trial) {
    const auto file = folder_ / ("run" + std::to_string(trial));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      write_until_killed(file);
      _exit(1);
    }
    while (!fs::exists(previous_checkpoint(file)))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    std::this_thread::sleep_for(std::chrono::microseconds(137 * trial));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto newest = read_checkpoint(file).engine.steps;
    const auto before = read_checkpoint(previous_checkpoint(file)).engine.steps;
    EXPECT_TRUE(before + 1 == newest || before == newest) << before << ' ' << newest;
    EXPECT_GE(newest, 1U);
  }
}

}  // namespace
}  // namespace orrery::sim
