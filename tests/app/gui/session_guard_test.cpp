// What the window does where forces exceed what their kernel states. Linked with wrong_kernels.cpp.
#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "app/log.h"
#include "app/picture/display_options.h"
#include "app/session/session.h"
#include "far_group.h"
#include "sim/simulation/monitor.h"
#include "tests/app/headless_test.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

class GuardedSession : public HeadlessTest {
 protected:
  void open(const std::string& kernel) {
    session_ = std::make_unique<Session>(
        table_, std::vector<std::string>{"engine=cpu", "threads=1", "kernel=" + kernel});
    auto scene = sim::checks::scene_with_far_group();
    auto summary = summarize(scene.bodies);
    session_->open({.request = {.source = "plummer", .bodies = 2000, .seed = 1},
                    .scene = std::make_shared<const sim::Scene>(std::move(scene)),
                    .summary = std::move(summary),
                    .hash = "0",
                    .state = std::nullopt});
  }
  bool becomes(const std::function<bool()>& done) {
    const auto limit = std::chrono::steady_clock::now() + 120s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      session_->update();
      std::this_thread::sleep_for(1ms);
    }
    return true;
  }
  std::string opening() const { return session_->configuration.form("opening").word; }
  bool is_right() const {
    const auto& health = session_->health();
    return health && health->revision == session_->revision() && health->force_error.sample > 0 &&
           sim::verdict(*health) == sim::Verdict::good;
  }

  sim::OptionTable table_ = all_options();
  std::unique_ptr<Session> session_;
};

TEST_F(GuardedSession, ComputesMoreSafelyAndSaysSo) {
  open("tree-loses-group");
  if (IsSkipped()) return;
  ASSERT_TRUE(becomes([this] { return opening() == "geometric"; }));
  EXPECT_TRUE(becomes([this] { return is_right(); })) << "the safer one is checked";
  const auto state = session_->view_state();
  EXPECT_NE(state.force_problem.find("clump 2"), std::string::npos) << state.force_problem;
  EXPECT_EQ(session_->legend().problem, state.force_problem);
  std::string said;
  for (const auto& line : take_problems()) said += line + "\n";
  EXPECT_NE(said.find("clump 2"), std::string::npos) << said;
  EXPECT_NE(said.find("now opening=geometric"), std::string::npos) << said;
  // A new run from the start has computed with the safer one only.
  session_->reset();
  EXPECT_EQ(session_->view_state().force_problem, "");
}

/// A person who wants it so gets it, under a red badge.
TEST_F(GuardedSession, LeavesItToThePersonTheSecondTime) {
  open("tree-loses-group");
  if (IsSkipped()) return;
  ASSERT_TRUE(becomes([this] { return opening() == "geometric"; }));
  ASSERT_TRUE(session_->set_option(table_.at("opening"), std::string("relative")));
  const auto is_wrong = [this] {
    const auto& health = session_->health();
    return health && health->revision == session_->revision() && sim::verdict(*health) == sim::Verdict::wrong;
  };
  ASSERT_TRUE(becomes(is_wrong));
  session_->update();
  EXPECT_EQ(opening(), "relative");
}

TEST_F(GuardedSession, SaysThatAnAccuracyIsNotReached) {
  open("tree");
  if (IsSkipped()) return;
  ASSERT_TRUE(session_->set_option(table_.at("accuracy"), 1e-9));
  ASSERT_TRUE(becomes([this] { return session_->health() && !session_->health()->problem.empty(); }));
  EXPECT_EQ(sim::verdict(*session_->health()), sim::Verdict::wrong);
  std::string said;
  for (const auto& line : take_problems()) said += line + "\n";
  EXPECT_NE(said.find("accuracy=1e-09 is not reached"), std::string::npos) << said;
}

}  // namespace
}  // namespace orrery::app
