#include "lab/bench/rate_meter.h"

#include <gtest/gtest.h>

namespace orrery::lab {
namespace {

using namespace std::chrono_literals;

/// A simulation of 4e6 interactions an evaluation, one evaluation a step, as the panel hears of it.
struct Simulated {
  RateMeter meter;
  RateMeter::Clock::time_point now{};
  sim::FrameInfo info;

  Simulated() {
    info.timings.interactions = 4e6;
    meter.restart(now);
  }
  /// A step that takes `ms`, of which the forces take `force_ms`, and whose time is known or not. They are on
  /// this share of the bodies.
  void step(double ms, double force_ms, bool timed = true, double share = 1.0) {
    now +=
        std::chrono::duration_cast<RateMeter::Clock::duration>(std::chrono::duration<double, std::milli>(ms));
    ++info.steps;
    if (timed) return info.timings.add(force_ms, share);
    ++info.timings.evaluations;
    info.timings.sums += share;
  }
  /// One frame of the window.
  void frame() {
    info.known_at = now;
    meter.add(info);
  }
};

TEST(RateMeter, SeparatesTheKernelFromTheFrame) {
  Simulated s;
  for (int k = 0; k < 100; ++k) {
    s.step(10.0, 2.0);
    s.frame();
  }
  s.meter.tick(s.now, true);
  EXPECT_NEAR(s.meter.kernel_gips(), 2.0, 1e-9);
  EXPECT_NEAR(s.meter.frame_gips(), 0.4, 0.01);
  EXPECT_NEAR(s.meter.steps_per_second(), 100.0, 2.0);
  // Paused: the rates stay. Running without steps: they wait for the slow step.
  s.meter.tick(s.now + 4s, false);
  s.meter.tick(s.now + 7s, true);
  EXPECT_NEAR(s.meter.frame_gips(), 0.4, 0.01);
  s.meter.tick(s.now + 60s, true);
  EXPECT_EQ(s.meter.frame_gips(), 0.0);
}

TEST(RateMeter, EveryEvaluationOfAFrameCountsWithItsOwnTime) {
  Simulated s;
  // 20 short evaluations a frame and a long one, which is the last in some frames only.
  for (int k = 0; k < 100; ++k) {
    const int place = k % 7 == 0 ? 20 : 3;
    for (int j = 0; j < 21; ++j) s.step(j == place ? 10.0 : 0.5, j == place ? 10.0 : 0.5);
    s.frame();
    if (s.meter.frame_gips() == 0.0) continue;
    // 84e6 interactions in 20 ms.
    EXPECT_NEAR(s.meter.kernel_gips(), 4.2, 1e-9) << k;
    EXPECT_NEAR(s.meter.frame_gips(), 4.2, 1e-9) << k;
  }
  EXPECT_GT(s.meter.frame_gips(), 0.0);
}

/// step=block: 8 evaluations a step, which sum as much as two of all bodies: one of all, and seven.
TEST(RateMeter, EvaluationsOfSomeBodiesCountWithWhatTheySum) {
  for (const bool all_are_timed : {true, false}) {
    Simulated s;
    for (int k = 0; k < 100; ++k) {
      for (int j = 0; j < 7; ++j) s.step(1.5, 0.25, all_are_timed, 1.0 / 7.0);
      s.step(9.5, 2.25);
      s.frame();
    }
    // 8e6 interactions in 20 ms, 4 of which were the kernel's; 4e6 in the 2.25 ms of those of all bodies.
    EXPECT_NEAR(s.meter.kernel_gips(), all_are_timed ? 2.0 : 4.0 / 2.25, 1e-9);
    EXPECT_NEAR(s.meter.frame_gips(), 0.4, 0.01);
  }
}

TEST(RateMeter, TheFrameIsNeverFasterThanTheKernel) {
  Simulated s;
  for (int k = 0; k < 300; ++k) {
    for (int j = 0; j < 9; ++j) s.step(j == k % 9 ? 30.0 : 1.1, j == k % 9 ? 29.0 : 1.0);
    s.frame();
    EXPECT_LE(s.meter.frame_gips(), s.meter.kernel_gips()) << k;
  }
  EXPECT_GT(s.meter.frame_gips(), 0.0);
}

TEST(RateMeter, ShortKernelsAreNotSlowedByTheirMeasurement) {
  Simulated s;
  // One of 16 is measured, and takes longer for that.
  for (int k = 0; k < 100; ++k) {
    for (int j = 0; j < 160; ++j) s.step(0.1, 0.15, j % 16 == 15);
    s.frame();
    EXPECT_LE(s.meter.frame_gips(), s.meter.kernel_gips()) << k;
  }
  EXPECT_NEAR(s.meter.frame_gips(), 40.0, 0.1);
}

TEST(RateMeter, SlowStepsHaveTheirRates) {
  Simulated s;
  // The first began long before the meter was restarted.
  for (int k = 0; k < 5; ++k) {
    s.step(1000.0, 900.0);
    s.frame();
    EXPECT_LE(s.meter.frame_gips(), s.meter.kernel_gips());
  }
  EXPECT_NEAR(s.meter.kernel_gips(), 4.0 / 900.0, 1e-9);
  EXPECT_NEAR(s.meter.frame_gips(), 4.0 / 1000.0, 1e-9);
}

TEST(RateMeter, StepsAreNotLostWhereEvaluationsAreCountedLater) {
  Simulated s;
  // 10 steps a frame; their evaluations are known in every second frame, some early and some late.
  for (int k = 1; k <= 100; ++k) {
    for (int j = 0; j < 10; ++j) s.step(1.0, 0.5);
    const auto counted = s.info.timings.evaluations;
    if (k % 2 == 1) s.info.timings.evaluations -= 10;
    s.frame();
    s.info.timings.evaluations = counted;
  }
  EXPECT_NEAR(s.meter.steps_per_second(), 1000.0, 25.0);
}

TEST(RateMeter, ARestartedSimulationIsNoNegativeWork) {
  Simulated s;
  for (int k = 0; k < 1000; ++k) s.step(1.0, 1.0);
  s.frame();
  s.info = {};
  s.info.timings.interactions = 4e6;
  for (int k = 0; k < 2; ++k) {
    s.step(1000.0, 2.0);
    s.frame();
  }
  EXPECT_GT(s.meter.frame_gips(), 0.0);
  EXPECT_LT(s.meter.frame_gips(), 1.0);
}

TEST(RateMeter, TheSpreadIsThatOfTheLastSecond) {
  Simulated s;
  EXPECT_FALSE(s.meter.kernel_spread());
  for (int k = 0; k < 100; ++k) {
    s.step(20.0, 1.0);
    s.frame();
  }
  ASSERT_TRUE(s.meter.kernel_spread());
  EXPECT_NEAR(s.meter.kernel_spread()->low, 4.0, 1e-6);
  for (int k = 0; k < 10; ++k) {
    s.step(20.0, k == 4 ? 8.0 : 1.0);
    s.frame();
  }
  EXPECT_NEAR(s.meter.kernel_spread()->low, 0.5, 1e-6);
  EXPECT_NEAR(s.meter.kernel_spread()->high, 4.0, 1e-6);
  for (int k = 0; k < 60; ++k) {
    s.step(20.0, 1.0);
    s.frame();
  }
  EXPECT_NEAR(s.meter.kernel_spread()->low, 4.0, 1e-6) << "more than a second ago";
}

}  // namespace
}  // namespace orrery::lab
