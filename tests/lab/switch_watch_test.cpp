#include "lab/bench/switch_watch.h"

#include <gtest/gtest.h>

#include "app/picture/display_options.h"

namespace orrery::lab {
namespace {

using namespace std::chrono_literals;

/// A simulation that evaluates once in a frame of 10 ms, and obeys `delay` frames after it was told to.
class SwitchTest : public testing::Test {
 protected:
  void SetUp() override {
    configuration = table.defaults();
    set("kernel", "omp-bodies");
    set("threads", "1");
    frame.timings.interactions = 1e6;
  }

  void set(const std::string& name, const std::string& value) {
    table.assign(configuration, name + "=" + value);
  }
  /// The time of a kernel in milliseconds.
  double cost() const {
    const auto kernel = configuration.choice("kernel");
    const double base = kernel == "simd" ? 1.0 : 4.0;
    return base / static_cast<double>(configuration.integer("threads"));
  }

  void one_frame() {
    now += 10ms;
    // The session sends what changed before the watch looks.
    if (configuration != sent) {
      ++revision;
      sent = configuration;
      obeyed_at = frames + delay;
      next_cost = cost();
    }
    if (frames++ >= obeyed_at && frame.revision != revision) {
      frame.timings_before = frame.timings;
      frame.revision = revision;
      computing = next_cost;
    }
    if (!paused) {
      frame.timings.add(computing);
    }
    frame.known_at = now;
    watch.update({frame, revision, paused, now, configuration, health});
  }
  void run(std::chrono::milliseconds time) {
    for (auto k = time / 10ms; k > 0; --k) one_frame();
  }
  void check_forces(double error) {
    health = sim::Health{.force_error = {.sample = 256, .median = error}, .revision = frame.revision};
  }

  sim::OptionTable table = app::all_options();
  SwitchWatch watch{table};
  sim::Configuration configuration, sent;
  sim::FrameInfo frame;
  std::optional<sim::Health> health;
  SwitchWatch::Clock::time_point now{};
  std::uint64_t revision = 0;
  int frames = 0, delay = 5, obeyed_at = 0;
  double computing = 99.0, next_cost = 99.0;
  bool paused = false;
};

TEST_F(SwitchTest, ASwitchHasMediansBeforeAndAfter) {
  run(1s);
  check_forces(3e-7);
  run(1s);
  EXPECT_TRUE(watch.measured());
  EXPECT_FALSE(watch.last()) << "nothing was switched yet";
  set("kernel", "simd");
  one_frame();
  ASSERT_TRUE(watch.last());
  EXPECT_EQ(watch.last()->from, "omp-bodies");
  EXPECT_EQ(watch.last()->to, "simd");
  EXPECT_NEAR(watch.last()->was.gips, 0.25, 1e-9);
  EXPECT_NEAR(watch.last()->was.error, 3e-7, 1e-12);
  EXPECT_FALSE(watch.last()->measured) << "evaluations of the old kernel do not count";
  EXPECT_FALSE(watch.last()->checked) << "the old kernel's error does not count";
  run(300ms);
  EXPECT_FALSE(watch.last()->measured) << "too few evaluations for a median";
  run(700ms);
  ASSERT_TRUE(watch.last()->measured);
  EXPECT_NEAR(watch.tried()[watch.last()->after].gips, 1.0, 1e-9) << "nothing of the old kernel is in it";
  check_forces(1e-5);
  one_frame();
  EXPECT_TRUE(watch.last()->checked);
  EXPECT_NEAR(watch.present()->error, 1e-5, 1e-12);
  EXPECT_NEAR(watch.tried()[0].error, 3e-7, 1e-12) << "that of the old kernel stays";
}

TEST_F(SwitchTest, BGoesBackAndForth) {
  run(1s);
  EXPECT_FALSE(watch.before(configuration));
  set("kernel", "simd");
  set("exposure", "2");
  run(1s);
  auto back = watch.before(configuration);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->choice("kernel"), "omp-bodies");
  EXPECT_EQ(back->choice("exposure"), "auto:2") << "only what computes goes back";
  configuration = *back;
  run(1s);
  EXPECT_EQ(watch.last()->to, "omp-bodies");
  EXPECT_EQ(watch.before(configuration)->choice("kernel"), "simd");
  EXPECT_EQ(watch.tried().size(), 2U) << "both are known already";
}

TEST_F(SwitchTest, WhatASliderPassesIsOneSwitch) {
  run(1s);
  for (const auto* threads : {"2", "3", "4"}) {
    set("threads", threads);
    run(100ms);
  }
  run(1s);
  ASSERT_TRUE(watch.last());
  EXPECT_EQ(watch.last()->from, "omp-bodies, threads 1");
  EXPECT_EQ(watch.last()->to, "threads 4");
  EXPECT_NEAR(watch.tried()[watch.last()->after].gips / watch.last()->was.gips, 4.0, 1e-9);
  EXPECT_EQ(watch.before(configuration)->integer("threads"), 1);
  set("threads", "3");
  run(100ms);
  set("threads", "4");
  run(100ms);
  EXPECT_FALSE(watch.last()) << "back where it began: there is nothing to compare";
}

TEST_F(SwitchTest, OptionsThatDoNothingAreNoSwitch) {
  run(1s);
  set("tile", "128");  // of the other engine
  set("exposure", "1");
  set("speed", "3");
  run(1s);
  EXPECT_EQ(watch.switches(), 0U);
  EXPECT_EQ(watch.tried().size(), 1U);
}

TEST_F(SwitchTest, OtherPhysicsIsAnotherDotAndNoSwitch) {
  run(1s);
  set("integrator", "symplectic-euler");
  run(1s);
  EXPECT_EQ(watch.switches(), 0U);
  EXPECT_EQ(watch.tried().size(), 2U);
  EXPECT_FALSE(watch.last());
}

TEST_F(SwitchTest, NothingIsMeasuredWhilePaused) {
  run(1s);
  paused = true;
  set("kernel", "simd");
  run(3s);
  ASSERT_TRUE(watch.last());
  EXPECT_FALSE(watch.last()->measured);
  paused = false;
  run(1s);
  EXPECT_TRUE(watch.last()->measured);
}

TEST_F(SwitchTest, WhatTheEngineRefusesIsSaid) {
  run(1s);
  set("kernel", "simd");
  run(100ms);
  frame.problem = "the kernel does not compile";
  run(100ms);
  EXPECT_EQ(watch.last()->refusal, "the kernel does not compile");
  EXPECT_EQ(watch.refusal(), "the kernel does not compile");
  frame.problem.clear();
  set("kernel", "omp-bodies");
  run(1s);
  EXPECT_TRUE(watch.refusal().empty());
  EXPECT_TRUE(watch.measured());
}

TEST_F(SwitchTest, DotsOfOneKernelAreToldApart) {
  run(1s);
  set("threads", "2");
  run(1s);
  set("kernel", "simd");
  run(1s);
  ASSERT_EQ(watch.tried().size(), 3U);
  EXPECT_EQ(watch.tried()[0].name, "omp-bodies");
  EXPECT_EQ(watch.tried()[1].name, "omp-bodies, threads 2");
  EXPECT_EQ(watch.tried()[2].name, "simd");
  watch.restart();
  EXPECT_TRUE(watch.tried().empty());
}

TEST(FactorTexts, HaveAsManyDigitsAsHelp) {
  EXPECT_EQ(factor_text(412.0, 1650.0), "4.00");
  EXPECT_EQ(factor_text(1.0, 222.2), "222");
  EXPECT_EQ(factor_text(1.0, 23.4), "23");
  EXPECT_EQ(factor_text(100.0, 2.0), "0.02");
}

// A tree sums fewer pulls at a lower rate, and is faster: times tell.
TEST(SwitchTexts, TreesAreComparedByTheirTime) {
  const MeasuredVariant pairs{.gips = 4.17, .seconds = 2.4}, faster{.gips = 8.34, .seconds = 1.2},
      tree{.gips = 1.09, .seconds = 0.203}, unknown{};
  EXPECT_TRUE(evaluates_other_interactions(pairs, tree));
  EXPECT_FALSE(evaluates_other_interactions(pairs, faster));
  EXPECT_FALSE(evaluates_other_interactions(pairs, unknown));
  EXPECT_EQ(evaluation_text(2.4), "2.40 s");
  EXPECT_EQ(evaluation_text(0.203), "203 ms");
  EXPECT_EQ(evaluation_text(0.00042), "0.42 ms");
}

}  // namespace
}  // namespace orrery::lab
