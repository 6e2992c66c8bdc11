#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "sim/galaxies/model.h"
#include "sim/simulation/simulation.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

using namespace std::chrono_literals;

/// Engines are switched live, as the viewer does it, with the ring in host memory.
class LiveSwitch : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = checks::why_not_here({.name = "", .cuda = true}); !reason.empty())
      GTEST_SKIP() << reason;
    scene_ = std::make_shared<const Scene>(make_galaxy("plummer", {.bodies = 3001, .seed = 2}));
    memory_.resize(3 * 8 * scene_->bodies.size());
    for (std::size_t k = 0; k < ring_.size(); ++k) {
      float* slot = memory_.data() + 8 * scene_->bodies.size() * k;
      ring_[k] = {
          .position = slot, .velocity = slot + 4 * scene_->bodies.size(), .bodies = scene_->bodies.size()};
    }
    control_.configuration = checks::simulation_options().defaults();
    control_.configuration.set("time-step", 0.001);
    simulation_ = std::make_unique<Simulation>(checks::simulation_options(), scene_, control_, ring_);
  }

  void send(const std::vector<std::string>& assignments) {
    for (const auto& text : assignments) checks::simulation_options().assign(control_.configuration, text);
    simulation_->set_control(control_);
  }
  bool wait_for(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      if (simulation_->has_news()) simulation_->take_frame(info_);
      if (simulation_->receive_health(health_)) ++checks_;
      std::this_thread::sleep_for(200us);
    }
    return true;
  }
  /// A check of this label that was made from now on.
  bool checked(const std::string& label) {
    health_ = {};
    return wait_for([&] { return health_.label == label && health_.force_error.sample > 0; });
  }

  std::shared_ptr<const Scene> scene_;
  std::vector<float> memory_;
  TargetRing ring_;
  Control control_;
  std::unique_ptr<Simulation> simulation_;
  FrameInfo info_;
  Health health_;
  int checks_ = 0;
};

TEST_F(LiveSwitch, BetweenCpuAndGpuKeepsTheStateAndTheAnswerRight) {
  ASSERT_TRUE(wait_for([&] { return info_.steps >= 3; }));
  send({"engine=cuda", "family=tiled"});
  ASSERT_TRUE(wait_for([&] { return info_.report.number("registers") > 0.0; })) << info_.problem;
  const auto steps = info_.steps;
  ASSERT_TRUE(wait_for([&] { return info_.steps >= steps + 50; }));
  EXPECT_NEAR(info_.time, 0.001 * static_cast<double>(info_.steps), 1e-9);
  for (const char* family : {"tiled-2d", "pairwise", "galaxy-block", "force-matrix"}) {
    send({std::string("family=") + family});
    ASSERT_TRUE(checked(family)) << info_.problem;
    EXPECT_EQ(verdict(health_.force_error), Verdict::good) << family;
  }
  send({"layout=soa", "family=tiled"});
  ASSERT_TRUE(checked("tiled"));
  EXPECT_EQ(verdict(health_.force_error), Verdict::good);
  EXPECT_LT(std::abs(health_.energy_drift), 1e-3);
  send({"engine=cpu"});
  ASSERT_TRUE(checked("simd"));
  EXPECT_EQ(verdict(health_.force_error), Verdict::good);
  EXPECT_EQ(info_.problem, "");
}

TEST_F(LiveSwitch, StepsStandStillWhileTheyGiveWay) {
  send({"engine=cuda"});
  ASSERT_TRUE(wait_for([&] { return info_.report.number("registers") > 0.0 && info_.steps >= 100; }))
      << info_.problem;
  simulation_->give_way(30s);
  // What was queued before still arrives.
  std::this_thread::sleep_for(500ms);
  if (simulation_->has_news()) simulation_->take_frame(info_);
  std::this_thread::sleep_for(200ms);
  EXPECT_FALSE(simulation_->has_news()) << "a state came while the device was to be left alone";
  const auto steps = info_.steps;
  simulation_->go_on();
  EXPECT_TRUE(wait_for([&] { return info_.steps >= steps + 100; })) << info_.problem;
}

TEST_F(LiveSwitch, WhoForgetsToGoOnIsNotWaitedFor) {
  send({"engine=cuda"});
  ASSERT_TRUE(wait_for([&] { return info_.report.number("registers") > 0.0; })) << info_.problem;
  simulation_->give_way(100ms);
  const auto steps = info_.steps;
  EXPECT_TRUE(wait_for([&] { return info_.steps >= steps + 1000; })) << info_.problem;
}

TEST_F(LiveSwitch, MeasuredEvaluationsAreSomeOfAllAndTakeNoMoreTimeThanPasses) {
  send({"engine=cuda", "family=tiled"});
  ASSERT_TRUE(wait_for([&] { return info_.report.number("registers") > 0.0; })) << info_.problem;
  ASSERT_TRUE(wait_for([&] { return info_.timings.measured > 2; }));
  const auto before = info_;
  ASSERT_TRUE(wait_for([&] { return info_.timings.measured >= before.timings.measured + 20; }));
  const auto measured = info_.timings.measured - before.timings.measured;
  const auto evaluations = info_.timings.evaluations - before.timings.evaluations;
  EXPECT_LE(measured, evaluations);
  EXPECT_GE(40 * measured, evaluations) << "of short ones every sixteenth";
  const double computed = info_.timings.measured_ms - before.timings.measured_ms;
  const std::chrono::duration<double, std::milli> passed = info_.known_at - before.known_at;
  EXPECT_GT(computed, 0.0);
  // What was queued before the first frame may have ended after it.
  EXPECT_LE(computed, passed.count() + 50.0);
}

TEST_F(LiveSwitch, AnImpossibleKernelIsRefusedAndTheOldOneGoesOn) {
  send({"engine=cuda"});
  ASSERT_TRUE(wait_for([&] { return info_.report.number("registers") > 0.0; })) << info_.problem;
  send({"tile=2048", "staging=bodies"});
  ASSERT_TRUE(wait_for([&] { return !info_.problem.empty(); }));
  const auto steps = info_.steps;
  EXPECT_TRUE(wait_for([&] { return info_.steps >= steps + 5; }));
}

}  // namespace
}  // namespace orrery::sim
