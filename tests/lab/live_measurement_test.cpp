#include "lab/bench/live_measurement.h"

#include <gtest/gtest.h>

namespace orrery::lab {
namespace {

using State = LiveResult::State;

/// A simulation that obeys `delay` frames after it was told to, and evaluates once a frame of 10 ms.
class LiveTest : public testing::Test {
 protected:
  static sim::Configuration configuration(double milliseconds) {
    sim::Configuration c;
    c.set("milliseconds", milliseconds);
    return c;
  }
  static std::vector<LiveTask> tasks(const std::vector<double>& milliseconds) {
    std::vector<LiveTask> list;
    for (const double each : milliseconds) list.push_back({configuration(each), {}});
    return list;
  }

  /// Requests are sent with the next frame, as the session does.
  std::string switch_to(const sim::Configuration& c) {
    asked.push_back(c.real("milliseconds"));
    if (c.real("milliseconds") < 0.0) return "time runs forwards";
    pending = c.real("milliseconds");
    return {};
  }

  /// The step was known so long before the window saw it.
  void one_frame(std::chrono::milliseconds late = {}) {
    now += std::chrono::milliseconds(10);
    frame.known_at = now - late;
    if (pending) {
      ++revision;
      sent.emplace_back(frames + delay, *pending);
      pending.reset();
    }
    ++frames;
    for (std::size_t k = 0; k < sent.size(); ++k) {
      if (sent[k].first >= frames) continue;
      computing = sent[k].second;
      if (frame.revision != k + 1) frame.timings_before = frame.timings;
      frame.revision = k + 1;
    }
    if (evaluates) {
      frame.timings.add(share * computing, share);
      frame.timings.interactions = 1e6;
    }
    live.update({frame, revision, paused, now, busy},
                [this](const sim::Configuration& c) { return switch_to(c); });
  }
  void run(int most = 2000) {
    for (int k = 0; k < most && live.running(); ++k) one_frame();
  }

  LiveMeasurement live;
  sim::FrameInfo frame;
  std::optional<double> pending;
  std::vector<std::pair<int, double>> sent;
  std::vector<double> asked;
  LiveMeasurement::Clock::time_point now{};
  std::uint64_t revision = 0;
  double computing = 77.0, share = 1.0;
  int frames = 0, delay = 5;
  bool paused = false, evaluates = true, busy = false;
};

TEST_F(LiveTest, EveryConfigurationIsMeasuredWithItsOwnRate) {
  live.start(tasks({1.0, 2.0, 4.0}), {});
  EXPECT_TRUE(live.running());
  run();
  EXPECT_FALSE(live.running());
  EXPECT_EQ(asked, (std::vector<double>{1.0, 2.0, 4.0}));
  const std::vector<double> rates{1.0, 0.5, 0.25};
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& result = live.results()[k];
    EXPECT_EQ(result.state, State::measured) << k;
    // Nothing of the configuration before is in it, however late the switch takes effect.
    EXPECT_NEAR(result.gips_kernel, rates[k], 1e-12) << k;
    EXPECT_NEAR(result.gips_frame, 0.1, 1e-3) << k;  // one evaluation a frame of 10 ms
  }
}

TEST_F(LiveTest, WhatWasMeasuredBesideOtherProgramsSaysSo) {
  live.start(tasks({1.0, 1.5}), {});
  while (live.current() == 0) one_frame();
  busy = true;
  run();
  EXPECT_FALSE(live.results()[0].busy);
  EXPECT_TRUE(live.results()[1].busy);
  EXPECT_FALSE(Factor(live.results()[0].speed(), live.results()[1].speed()).counts());
  EXPECT_EQ(live.results()[1].speed().median, live.results()[1].gips_kernel);
}

/// The events around a short kernel take time that its frames do not.
TEST_F(LiveTest, TheFrameIsNeverFasterThanTheKernel) {
  live.start(tasks({1.0, 12.5}), {});
  run();
  for (const auto& result : live.results()) EXPECT_LE(result.gips_frame, result.gips_kernel);
  EXPECT_NEAR(live.results()[1].gips_frame, 0.1, 1e-9);
  EXPECT_NEAR(live.results()[1].seconds, 0.01, 1e-9) << "one evaluation a frame of 10 ms";
}

/// The window sees each of the later steps 6 ms after it was done.
TEST_F(LiveTest, TheTimeOfAFrameIsThatOfItsSteps) {
  constexpr auto late = std::chrono::milliseconds(6);
  live.start(tasks({10.0}), {.samples = 40});
  for (int k = 0; live.running() && k < 2000; ++k) {
    now += k == 12 ? late : std::chrono::milliseconds(0);
    one_frame(k >= 12 ? late : std::chrono::milliseconds(0));
  }
  EXPECT_NEAR(live.results()[0].gips_frame, 0.1, 1e-9);
}

TEST_F(LiveTest, EachTakesAboutTheTimeAsked) {
  live.start(tasks({1.0, 2.0}), {.each = std::chrono::duration<double>(1.0)});
  run();
  EXPECT_GE(frames, 200);
  EXPECT_LE(frames, 240);
}

TEST_F(LiveTest, TheMedianForgivesASlowEvaluation) {
  live.start(tasks({1.0}), {});
  for (int k = 0; k < 20; ++k) one_frame();
  for (auto& entry : sent) entry.second = 100.0;
  one_frame();
  for (auto& entry : sent) entry.second = 1.0;
  run();
  EXPECT_NEAR(live.results()[0].gips_kernel, 1.0, 1e-12);
}

TEST_F(LiveTest, RefusalsAreSkippedWithTheirReason) {
  auto list = tasks({1.0, -1.0, 2.0});
  list.push_back({configuration(3.0), "known before"});
  live.start(list, {});
  run();
  EXPECT_EQ(live.results()[1].state, State::refused);
  EXPECT_EQ(live.results()[1].refusal, "time runs forwards");
  EXPECT_EQ(live.results()[2].state, State::measured);
  EXPECT_EQ(live.results()[3].refusal, "known before");
  EXPECT_EQ(asked, (std::vector<double>{1.0, -1.0, 2.0})) << "what is known to be refused is not tried";
}

TEST_F(LiveTest, WhatTheEngineRefusesIsRefused) {
  live.start(tasks({1.0, 2.0}), {});
  for (int k = 0; k < 10; ++k) one_frame();
  frame.problem = "the kernel does not compile";
  one_frame();
  EXPECT_EQ(live.results()[0].state, State::refused);
  EXPECT_EQ(live.results()[0].refusal, "the kernel does not compile");
  frame.problem.clear();
  run();
  EXPECT_EQ(live.results()[1].state, State::measured);
}

TEST_F(LiveTest, AnOldProblemIsNotTheNewConfigurations) {
  frame.problem = "of the configuration before";
  live.start(tasks({1.0}), {});
  for (int k = 0; k < 4; ++k) one_frame();
  EXPECT_TRUE(live.running());
  frame.problem.clear();
  run();
  EXPECT_EQ(live.results()[0].state, State::measured);
}

TEST_F(LiveTest, AKernelThatIsBeingCompiledIsWaitedFor) {
  frame.report.device = "a device";
  frame.report.compiling = true;
  computing = 9.0;
  delay = 0;
  live.start(tasks({1.0}), {});
  for (int k = 0; k < 100; ++k) one_frame();
  EXPECT_EQ(live.results()[0].state, State::running);
  frame.report.compiling = false;
  run();
  EXPECT_EQ(live.results()[0].state, State::measured);
}

/// step=block: an evaluation of a quarter of the bodies.
TEST_F(LiveTest, EvaluationsOfSomeBodiesCountWithWhatTheySum) {
  share = 0.25;
  for (const char* device : {"", "a device"}) {
    frame.report.device = device;
    live.start(tasks({1.0}), {});
    run();
    EXPECT_EQ(live.results()[0].state, State::measured) << device;
    EXPECT_NEAR(live.results()[0].gips_kernel, 1.0, 1e-12) << device;
    EXPECT_NEAR(live.results()[0].gips_frame, 0.025, 1e-3) << device;  // one evaluation a frame of 10 ms
  }
}

TEST_F(LiveTest, AResetBeginsAnew) {
  live.start(tasks({1.0}), {});
  for (int k = 0; k < 30; ++k) one_frame();
  frame.timings = {};
  run();
  EXPECT_EQ(live.results()[0].state, State::measured);
  EXPECT_NEAR(live.results()[0].gips_kernel, 1.0, 1e-12);
  EXPECT_LT(live.results()[0].gips_frame, 0.2);
}

/// An evaluation takes so many frames of 10 ms; nothing is seen before it ends.
class SlowTest : public LiveTest {
 protected:
  void run_slowly(int frames_each) {
    int since = 0;
    for (int k = 0; k < 20'000 && live.running(); ++k) {
      now += std::chrono::milliseconds(10);
      if (pending) {
        ++revision;
        computing = *pending;
        pending.reset();
        since = 0;
      }
      if (++since == frames_each) {
        since = 0;
        frame.known_at = now;
        frame.revision = revision;
        frame.timings_before = frame.timings;
        frame.timings.add(computing);
        frame.timings.interactions = 1e6;
      }
      live.update({frame, revision, paused, now},
                  [this](const sim::Configuration& c) { return switch_to(c); });
    }
  }
};

TEST_F(SlowTest, OneEvaluationIsEnough) {
  live.start(tasks({2900.0 * 10, 1400.0 * 10}), {.each = std::chrono::duration<double>(1.0)});
  run_slowly(2900);
  for (const auto& result : live.results()) EXPECT_EQ(result.state, State::measured) << result.refusal;
  EXPECT_NEAR(live.results()[0].seconds, 29.0, 1e-9);
  EXPECT_NEAR(live.results()[0].gips_frame, 1e-3 / 29.0, 1e-6);
}

TEST_F(SlowTest, WhatIsSlowerThanThePatienceIsNotRefused) {
  live.start(tasks({40'000.0, 40'000.0}), {});
  run_slowly(4000);
  for (const auto& result : live.results()) {
    EXPECT_EQ(result.state, State::given_up);
    EXPECT_EQ(result.refusal, "over 30 s per step");
  }
}

TEST_F(LiveTest, WhatNeverEvaluatesIsGivenUp) {
  evaluates = false;
  live.start(tasks({1.0}), {.samples = 8, .patience = std::chrono::duration<double>(2.0)});
  run();
  EXPECT_EQ(live.results()[0].state, State::given_up);
  EXPECT_NE(live.results()[0].refusal.find("2 s"), std::string::npos) << live.results()[0].refusal;
  EXPECT_LE(frames, 220);
}

TEST_F(LiveTest, APauseIsNoReasonToGiveUp) {
  live.start(tasks({1.0}), {.samples = 8, .patience = std::chrono::duration<double>(2.0)});
  for (int k = 0; k < 20; ++k) one_frame();
  paused = true;
  evaluates = false;
  for (int k = 0; k < 1000; ++k) one_frame();
  EXPECT_TRUE(live.running());
  paused = false;
  evaluates = true;
  run();
  EXPECT_EQ(live.results()[0].state, State::measured);
  EXPECT_NEAR(live.results()[0].gips_frame, 0.1, 1e-3) << "the pause is no part of it";
}

TEST_F(LiveTest, SlowEvaluationsNeedNotBeMany) {
  evaluates = false;
  live.start(tasks({1.0}), {});
  for (int k = 0; k < 600 && live.running(); ++k) {
    evaluates = k % 100 == 99;
    one_frame();
  }
  EXPECT_EQ(live.results()[0].state, State::measured);
}

TEST_F(LiveTest, StoppingKeepsWhatIsThere) {
  live.start(tasks({1.0, 2.0}), {});
  for (int k = 0; k < 2000 && live.current() == 0; ++k) one_frame();
  ASSERT_EQ(live.current(), 1U);
  one_frame();
  live.stop();
  EXPECT_FALSE(live.running());
  EXPECT_EQ(live.results()[0].state, State::measured);
  EXPECT_EQ(live.results()[1].state, State::waiting);
  one_frame();
  EXPECT_EQ(asked.size(), 2U);
}

TEST_F(LiveTest, NothingToDoIsNoRun) {
  live.start({}, {});
  EXPECT_FALSE(live.running());
  one_frame();
}

}  // namespace
}  // namespace orrery::lab
