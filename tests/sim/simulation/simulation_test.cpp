#include "sim/simulation/simulation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <thread>

#include "sim/galaxies/model.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using namespace std::chrono_literals;

/// A simulation with its ring in plain memory, as headless programs have it.
struct Bench {
  std::shared_ptr<const Scene> scene;
  std::vector<float> memory;
  TargetRing ring;
  Control control;
  std::unique_ptr<Simulation> simulation;
  FrameInfo info;
  int slot = -1;

  explicit Bench(Scene initial, Control start = {})
      : scene(std::make_shared<const Scene>(std::move(initial))) {
    const std::size_t count = scene->bodies.size();
    memory.resize(ring.size() * 8 * count);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      float* slot_memory = memory.data() + 8 * count * k;
      ring[k] = {.position = slot_memory, .velocity = slot_memory + 4 * count, .bodies = count};
    }
    control = std::move(start);
    if (control.configuration.values().empty())
      control.configuration = checks::simulation_options().defaults();
    control.configuration.set("threads", std::int64_t{1});
    simulation = std::make_unique<Simulation>(checks::simulation_options(), scene, control, ring);
  }

  /// Takes frames until `done` or a generous time is over.
  bool wait_for(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      if (simulation->has_news()) slot = simulation->take_frame(info);
      std::this_thread::sleep_for(200us);
    }
    return true;
  }
  bool wait_for_steps(std::uint64_t steps) {
    return wait_for([&] { return slot >= 0 && info.steps >= steps; });
  }
  void send() { simulation->set_control(control); }
  Vec3 position(std::size_t body) const {
    const float* x = ring[static_cast<std::size_t>(slot)].position + 4 * body;
    return {x[0], x[1], x[2]};
  }
};

Scene small_scene(std::size_t bodies = 50) {
  Scene scene;
  scene.bodies = checks::ragged_bodies(bodies);
  return scene;
}

Control paused() {
  Control control;
  control.configuration = checks::simulation_options().defaults();
  control.paused = true;
  return control;
}

TEST(Simulation, TheInitialStateIsPublishedAtOnce) {
  Bench bench(small_scene(), paused());
  ASSERT_TRUE(bench.wait_for_steps(0));
  EXPECT_EQ(bench.position(7), bench.scene->bodies.position[7]);
}

TEST(Simulation, RunsAndPauses) {
  Bench bench(small_scene());
  ASSERT_TRUE(bench.wait_for_steps(5));
  bench.control.paused = true;
  // The reset tells when it is obeyed: on a busy machine that takes any time.
  ++bench.control.resets;
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.resets == 1; }));
  std::this_thread::sleep_for(50ms);
  bench.wait_for([&] { return !bench.simulation->has_news(); });
  EXPECT_EQ(bench.info.steps, 0U);
}

TEST(Simulation, SingleStepsAreExact) {
  Bench bench(small_scene(), paused());
  bench.control.single_steps = 3;
  bench.send();
  ASSERT_TRUE(bench.wait_for_steps(3));
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(bench.simulation->has_news());
  EXPECT_EQ(bench.info.steps, 3U);
  EXPECT_NEAR(bench.info.time, 0.03, 1e-12);
}

TEST(Simulation, ResetReturnsToTheInitialState) {
  Bench bench(small_scene());
  ASSERT_TRUE(bench.wait_for_steps(4));
  bench.control.paused = true;
  ++bench.control.resets;
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.resets == 1; }));
  EXPECT_EQ(bench.info.steps, 0U);
  EXPECT_EQ(bench.position(3), bench.scene->bodies.position[3]);
}

TEST(Simulation, SpeedSetsThePace) {
  auto control = paused();
  control.paused = false;
  control.speed = 0.5;  // dt = 0.01: 50 steps a second
  Bench bench(small_scene(5), control);
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(bench.wait_for_steps(20));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_GT(elapsed.count(), 0.3);
}

TEST(Simulation, ASmallerTimeStepEndsALongWait) {
  auto control = paused();
  control.paused = false;
  control.speed = 1e-3;
  control.configuration.set("time-step", 1000.0);  // the second step is due in days
  Bench bench(small_scene(5), control);
  ASSERT_TRUE(bench.wait_for_steps(1));
  bench.control.configuration.set("time-step", 1e-6);
  bench.send();
  EXPECT_TRUE(bench.wait_for_steps(3));
}

TEST(Simulation, SwitchingTheKernelKeepsTheState) {
  Bench bench(small_scene(), paused());
  bench.control.single_steps = 2;
  bench.send();
  ASSERT_TRUE(bench.wait_for_steps(2));
  const Vec3 before = bench.position(11);
  bench.control.configuration.set("kernel", std::string("pair-symmetric"));
  bench.send();
  double time = 0.0;
  const Bodies state = bench.simulation->state(time);
  EXPECT_EQ(state.position[11], before);
  EXPECT_NEAR(time, 0.02, 1e-12);
  bench.control.single_steps = 4;
  bench.send();
  ASSERT_TRUE(bench.wait_for_steps(4));
  EXPECT_EQ(bench.info.problem, "");
}

TEST(Simulation, ALongForceEvaluationDoesNotDelayASwitchOrTheEnd) {
  // 400 000 bodies on one thread: the evaluation takes far longer than a test may.
  Bench bench(small_scene(400'000));
  bench.control.configuration.set("kernel", std::string("sequential"));
  std::this_thread::sleep_for(100ms);
  bench.send();
  double time = 0.0;
  bench.control.paused = true;
  ++bench.control.resets;
  bench.send();
  bench.simulation->state(time);
  EXPECT_EQ(time, 0.0);
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.resets == 1; }));
  bench.control.paused = false;
  bench.send();
  std::this_thread::sleep_for(100ms);
  bench.simulation.reset();
}

TEST(Simulation, WhatHasNoEffectInterruptsNothing) {
  // A step of many milliseconds, and a switch of another engine's option every few.
  auto control = paused();
  control.configuration.set("engine", std::string("cpu"));
  control.configuration.set("kernel", std::string("sequential"));
  control.paused = false;
  Bench bench(small_scene(2'500), control);
  const auto until = std::chrono::steady_clock::now() + 120s;
  while (bench.info.steps < 1 && std::chrono::steady_clock::now() < until) {
    for (const char* assignment : {"tile=512", "tile=64", "instructions=scalar", "instructions=auto"}) {
      checks::simulation_options().assign(bench.control.configuration, assignment);
      bench.send();
      if (bench.simulation->has_news()) bench.slot = bench.simulation->take_frame(bench.info);
      std::this_thread::sleep_for(5ms);
    }
  }
  EXPECT_GE(bench.info.steps, 1U) << "every switch began the step anew";
}

TEST(Simulation, ARefusedConfigurationIsReportedAndTheOldOneGoesOn) {
  Bench bench(small_scene());
  ASSERT_TRUE(bench.wait_for_steps(1));
  bench.control.configuration.set("engine", std::string("abacus"));
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return !bench.info.problem.empty(); }));
  EXPECT_NE(bench.info.problem.find("abacus"), std::string::npos);
  const auto steps = bench.info.steps;
  EXPECT_TRUE(bench.wait_for_steps(steps + 3));
}

TEST(Simulation, TimelinesComeWhileTheyAreAskedFor) {
  Bench bench(small_scene());
  ASSERT_TRUE(bench.wait_for_steps(20));
  EXPECT_EQ(bench.info.timeline, nullptr) << "nobody asked";
  bench.control.timeline = true;
  bench.send();
  const auto start = std::chrono::steady_clock::now();
  std::set<const Timeline*> seen;
  std::vector<std::shared_ptr<const Timeline>> kept;
  ASSERT_TRUE(bench.wait_for([&] {
    if (bench.info.timeline && seen.insert(bench.info.timeline.get()).second)
      kept.push_back(bench.info.timeline);
    return kept.size() == 3;
  }));
  EXPECT_GE(std::chrono::steady_clock::now() - start, 900ms) << "at most two a second";
  EXPECT_FALSE(kept[2]->spans.empty());
  bench.control.timeline = false;
  bench.send();
  EXPECT_TRUE(bench.wait_for([&] { return bench.info.timeline == nullptr; }));
}

TEST(Simulation, TheBackgroundCheckFindsTheAnswerRight) {
  Bench bench(make_galaxy("plummer", {.bodies = 400, .seed = 3}));
  Health health;
  ASSERT_TRUE(bench.wait_for(
      // Forces do not wait for the energy.
      [&] {
        return bench.simulation->receive_health(health) && health.force_error.sample > 0 &&
               health.diagnostics.kinetic > 0.0;
      }));
  EXPECT_EQ(health.force_error.sample, 256U);
  EXPECT_EQ(verdict(health.force_error), Verdict::good);
  EXPECT_NEAR(health.diagnostics.virial_ratio(), 0.5, 0.05);
  EXPECT_LT(std::abs(health.energy_drift), 1e-2);
  EXPECT_EQ(health.label, "simd");
}

TEST(Simulation, EvaluationsTakeNoMoreTimeThanPasses) {
  Bench bench(small_scene(300));
  ASSERT_TRUE(bench.wait_for_steps(1));
  auto before = bench.info;
  for (int frame = 0; frame < 20; ++frame) {
    ASSERT_TRUE(bench.wait_for_steps(before.steps + 1));
    const auto& now = bench.info;
    EXPECT_EQ(now.timings.measured, now.timings.evaluations);
    const std::chrono::duration<double, std::milli> passed = now.known_at - before.known_at;
    const double computed = now.timings.measured_ms - before.timings.measured_ms;
    EXPECT_GT(computed, 0.0);
    EXPECT_LE(computed, passed.count());
    before = now;
  }
}

TEST(Simulation, TheEvaluationsBeforeASwitchAreKnown) {
  Bench bench(small_scene());
  ASSERT_TRUE(bench.wait_for_steps(5));
  const auto seen = bench.info.timings.evaluations;
  bench.control.configuration.set("kernel", std::string("sequential"));
  ++bench.control.revision;
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.revision == bench.control.revision; }));
  EXPECT_GE(bench.info.timings_before.evaluations, seen);
  EXPECT_GT(bench.info.timings.evaluations, bench.info.timings_before.evaluations)
      << "the first frame has a new one";
}

TEST(Simulation, DriftsAreOfTheBaselineThatAFrameNames) {
  Bench bench(small_scene());
  Health health;
  const auto measured = [&] {
    bench.simulation->receive_health(health);
    return health.baseline == bench.info.baseline && health.drift_step.has_value();
  };
  ASSERT_TRUE(bench.wait_for_steps(1));
  ASSERT_TRUE(bench.wait_for(measured));
  const auto first = bench.info.baseline;
  ++bench.control.resets;
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.resets == bench.control.resets; }));
  EXPECT_GT(bench.info.baseline, first);
  ASSERT_TRUE(bench.wait_for(measured));
  bench.control.configuration.set("softening", 0.3);
  bench.send();
  ASSERT_TRUE(bench.wait_for([&] { return bench.info.baseline > first + 1; })) << "the forces differ";
}

TEST(SlotExchange, TheReaderGetsTheNewestAndNeverTheWritersSlot) {
  SlotExchange exchange;
  EXPECT_FALSE(exchange.has_news());
  exchange.offer();
  const int newer = exchange.writing();
  exchange.offer();
  ASSERT_TRUE(exchange.has_news());
  exchange.take();
  EXPECT_EQ(exchange.reading(), newer);
  EXPECT_NE(exchange.reading(), exchange.writing());
  EXPECT_FALSE(exchange.has_news());
}

TEST(Mailbox, ValuesArriveWholeAndInOrderAcrossThreads) {
  struct Pair {
    int a = 0;
    int b = 0;
  };
  Mailbox<Pair> mailbox;
  constexpr int last = 20'000;
  std::thread writer([&] {
    for (int k = 1; k <= last; ++k) mailbox.send({k, -k});
  });
  const auto limit = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  int seen = 0;
  bool whole = true;
  while (whole && seen < last && std::chrono::steady_clock::now() < limit) {
    Pair pair;
    if (!mailbox.receive(pair)) continue;
    whole = pair.a == -pair.b && pair.a > seen;
    seen = pair.a;
  }
  writer.join();
  EXPECT_TRUE(whole) << seen;
  EXPECT_EQ(seen, last);
}

}  // namespace
}  // namespace orrery::sim
