#include "app/session/session.h"

#include <chrono>
#include <string>
#include <thread>

#include "app/picture/display_options.h"
#include "headless_test.h"
#include "sim/galaxies/model.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

class SessionTest : public HeadlessTest {
 protected:
  void SetUp() override {
    HeadlessTest::SetUp();
    if (IsSkipped()) return;
    session_ = std::make_unique<Session>(
        table_, std::vector<std::string>{"engine=cpu", "kernel=omp-bodies", "threads=1"});
    auto scene = sim::make_galaxy("plummer", {.bodies = 64, .seed = 1});
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = "plummer", .bodies = 64, .seed = 1},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt});
    ASSERT_TRUE(wait_for_more_steps());
  }

  /// Frames until the simulation has gone on.
  bool wait_for_more_steps() {
    const auto before = session_->frame().steps;
    const auto limit = std::chrono::steady_clock::now() + 30s;
    while (session_->frame().steps <= before) {
      if (std::chrono::steady_clock::now() > limit) return false;
      session_->update();
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  /// Sets an option as the panel does, and lets it take effect.
  void set(const std::string& name, const std::string& value) {
    const auto& option = table_.at(name);
    ASSERT_TRUE(session_->set_option(option, table_.parse(option, value)));
    ASSERT_TRUE(wait_for_more_steps());
  }
  bool replay_is_exact() const { return session_->view_state().exact_replay; }

  sim::OptionTable table_ = all_options();
  std::unique_ptr<Session> session_;
};

TEST_F(SessionTest, OptionsWithoutEffectLeaveReplayExactAndKeepTheirValue) {
  // Of the other engine, of kernels with vector instructions, of charges, of the picture.
  for (const auto& [name, value] :
       {std::pair("tile", "512"), std::pair("family", "pairwise"), std::pair("instructions", "scalar"),
        std::pair("coulomb", "7"), std::pair("exposure", "1")}) {
    set(name, value);
    EXPECT_TRUE(replay_is_exact()) << name;
    EXPECT_EQ(sim::to_string(session_->view_state().configuration.value(name)), value);
  }
}

TEST_F(SessionTest, TheSameBitsAtAnotherSpeedLeaveReplayExact) {
  set("binding", "cores");
  EXPECT_TRUE(replay_is_exact());
}

TEST_F(SessionTest, WhatChangesBitsMakesReplayInexact) {
  set("instructions", "scalar");
  EXPECT_TRUE(replay_is_exact()) << "the kernel has no vector instructions";
  set("kernel", "simd");
  EXPECT_FALSE(replay_is_exact());
}

TEST_F(SessionTest, ComputingIsComparedByItsEffect) {
  auto other = session_->configuration;
  table_.assign(other, "tile=512");
  table_.assign(other, "exposure=2");
  EXPECT_TRUE(session_->computes_like(other));
  table_.assign(other, "softening=0.3");
  EXPECT_FALSE(session_->computes_like(other));
}

}  // namespace
}  // namespace orrery::app
