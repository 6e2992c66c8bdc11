#include "sim/step/stepper.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/physics/integrators/block_levels.h"
#include "sim/physics/integrators/step_rule.h"

namespace orrery::sim {
namespace {

/// Writes down what it is asked for, and answers as told.
class FakeDevice final : public StepDevice, public PartDevice, public BlockDevice {
 public:
  bool has_room(bool /*wait*/) override { return room; }
  bool may_leave_step() const override { return may_leave; }
  void begin_step(bool with_forces) override { asked.emplace_back(with_forces ? "begin" : "begin without"); }
  void begin_pass(const Pass& pass) override {
    if (pass.first_of_run) {
      asked.emplace_back("first");
      return;
    }
    asked.push_back(fmt::format("kick {} drift {} part {}", pass.before.kick, pass.before.drift, pass.part));
  }
  Outcome compute_forces(const WorkBudget& /*budget*/) override {
    if (outcomes.empty()) return Outcome::done;
    const auto outcome = outcomes.front();
    outcomes.pop_front();
    return outcome;
  }
  void end_part(const MotionUpdate& last, const Pass& pass) override {
    asked.push_back(
        fmt::format("last kick {} drift {}{}", last.kick, last.drift, pass.ends_step ? "" : " ..."));
  }
  void end_step() override { asked.emplace_back("end"); }
  bool give_up_step() override {
    asked.emplace_back("give up");
    return keeps_forces;
  }
  PartDevice& parts() override { return *this; }
  BlockDevice& blocks() override { return *this; }
  void keep_part() override { asked.emplace_back("keep"); }
  void restore_part() override { asked.emplace_back("restore"); }
  void measure_acceleration() override {}
  std::optional<double> largest_acceleration(bool /*wait*/) override {
    if (largest.empty()) return std::nullopt;
    const double next = largest.front();
    if (largest.size() > 1) largest.pop_front();
    return next;
  }
  void begin_block_steps() override {}
  void advance_block_steps(std::uint32_t now, bool ends, bool begins) override {
    asked.push_back(fmt::format("at {}{}{}", now, ends ? " ends" : "", begins ? " begins" : ""));
  }
  std::optional<BlockTime> next_block_time(bool /*wait*/) override {
    const auto next = times.front();
    times.pop_front();
    return next;
  }
  void end_block_time(bool ends_step) override { asked.emplace_back(ends_step ? "last forces" : "forces"); }

  /// Everything that it was asked for since the last call.
  std::vector<std::string> take() { return std::exchange(asked, {}); }

  std::vector<std::string> asked;
  std::deque<Outcome> outcomes;  ///< outcomes of the next evaluations; then done
  std::deque<double> largest;    ///< accelerations; the last one stays
  std::deque<BlockTime> times;
  bool room = true, may_leave = false, keeps_forces = true;
};

class StepperTest : public testing::Test {
 protected:
  StepperTest() {
    physics_.time_step = 0.5;
    use(fixed_step);
    stepper_.start(2.0, 7, false);
  }
  void use(const StepRule& rule) {
    physics_.step = &rule;
    stepper_.configure(device_, physics_, physics_.time_step);
  }
  bool advance(const std::atomic<bool>* interrupt = nullptr) {
    return stepper_.advance({.interrupt = interrupt});
  }
  using Asked = std::vector<std::string>;

  Physics physics_;
  FakeDevice device_;
  Stepper stepper_;
};

TEST_F(StepperTest, LeapfrogNeedsForcesOnceAndKeepsThem) {
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(),
            (Asked{"first", "begin", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0", "end"}));
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(), (Asked{"begin", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0", "end"}));
  EXPECT_EQ(stepper_.steps(), 9U);
  EXPECT_EQ(stepper_.time(), 3.0);
  EXPECT_TRUE(stepper_.has_forces());
  stepper_.forget_forces();
  advance();
  EXPECT_EQ(device_.take().front(), "first");
}

TEST_F(StepperTest, EveryStageOfAnIntegratorIsAPass) {
  physics_.integrator = find_integrator("pefrl");
  use(fixed_step);
  EXPECT_TRUE(advance());
  const auto asked = device_.take();
  EXPECT_EQ(std::ranges::count_if(asked, [](const auto& a) { return a.starts_with("kick"); }), 4);
  EXPECT_EQ(asked.front(), "begin without");
  EXPECT_FALSE(stepper_.has_forces());
}

TEST_F(StepperTest, AnInterruptedStepIsMadeAgainFromItsForces) {
  advance();
  device_.take();
  device_.outcomes = {StepDevice::Outcome::abandoned};
  EXPECT_FALSE(advance());
  EXPECT_EQ(device_.take(), (Asked{"begin", "kick 0.5 drift 1 part 1", "give up"}));
  EXPECT_TRUE(stepper_.between_steps());
  EXPECT_TRUE(stepper_.has_forces());
  EXPECT_EQ(stepper_.steps(), 8U);
  device_.keeps_forces = false;
  device_.outcomes = {StepDevice::Outcome::abandoned};
  EXPECT_FALSE(advance());
  device_.take();
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take().front(), "first");
}

/// A device that queues: the step goes on where it was left.
TEST_F(StepperTest, AStepIsLeftAndTakenUp) {
  const std::atomic<bool> interrupt = true;
  advance();
  device_.take();
  device_.outcomes = {StepDevice::Outcome::pending};
  device_.may_leave = true;
  EXPECT_FALSE(advance(&interrupt)) << "before it begins";
  EXPECT_EQ(device_.take(), Asked{});
  device_.may_leave = false;
  device_.room = false;
  EXPECT_FALSE(advance());
  device_.room = true;
  EXPECT_TRUE(advance(&interrupt)) << "it may not be left";
  EXPECT_EQ(device_.take(), (Asked{"begin", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0", "end"}));
}

TEST_F(StepperTest, AWholePartByTheDeviceHasNoOtherEnd) {
  device_.outcomes = {StepDevice::Outcome::done, StepDevice::Outcome::part_done};
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(), (Asked{"first", "begin", "kick 0.5 drift 1 part 1", "end"}));
}

/// tau is 0.2 sqrt(0.05 / a): 0.45 for 0.01, and 0.045 for 1.
TEST_F(StepperTest, AdaptivePartsAreTriedAndTakenBack) {
  advance();
  device_.take();
  use(adaptive_step);
  device_.largest = {0.01, 1.0, 0.01};
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(), (Asked{"begin", "keep", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0",
                                   "restore", "kick 0.5 drift 1 part 0.5", "last kick 0.5 drift 0 ...",
                                   "keep", "kick 0.5 drift 1 part 0.5", "last kick 0.5 drift 0", "end"}));
  EngineReport report;
  stepper_.add_facts(report);
  EXPECT_EQ(report.number("parts_of_step"), 2.0);
}

/// tau of 0.001 is longer than the step of 0.5, and that of 0.01 is shorter.
TEST_F(StepperTest, EvenPartsAreAsManyAsTheLargestAccelerationAsksFor) {
  advance();
  device_.take();
  use(even_step);
  device_.largest = {0.001, 0.001};
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(),
            (Asked{"begin", "keep", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0", "end"}));
  device_.largest = {0.001, 0.01, 0.01, 0.001};
  EXPECT_TRUE(advance());
  EXPECT_EQ(device_.take(), (Asked{"begin", "keep", "kick 0.5 drift 1 part 1", "last kick 0.5 drift 0",
                                   "restore", "kick 0.5 drift 1 part 0.5", "last kick 0.5 drift 0 ...",
                                   "kick 0.5 drift 1 part 0.5", "last kick 0.5 drift 0", "end"}));
  EngineReport report;
  stepper_.add_facts(report);
  EXPECT_EQ(report.number("parts_of_step"), 2.0);
}

TEST_F(StepperTest, ANumberThatIsNotThereIsAskedForAgain) {
  advance();
  use(adaptive_step);
  device_.take();
  EXPECT_FALSE(advance());
  EXPECT_FALSE(advance());
  EXPECT_EQ(device_.take(), (Asked{"begin", "keep"}));
  device_.largest = {0.01};
  EXPECT_TRUE(advance());
}

TEST_F(StepperTest, BlockTimesFollowEachOther) {
  constexpr std::uint32_t whole = 1U << static_cast<unsigned>(BlockLevels::deepest);
  advance();
  use(block_step);
  device_.take();
  device_.times = {{whole / 2, 3}, {whole, 10}};
  EXPECT_TRUE(advance());
  const Asked asked = device_.take();
  EXPECT_EQ(asked.front(), "begin");
  EXPECT_EQ(asked[1], "at 0 begins");
  EXPECT_EQ(std::ranges::count(asked, std::string("forces")), 1);
  EXPECT_EQ(asked[asked.size() - 3], "last forces");
  EXPECT_EQ(asked[asked.size() - 2], fmt::format("at {} ends", whole));
  EXPECT_EQ(asked.back(), "end");
}

/// All that a device must have, for step=fixed.
class PlainDevice final : public StepDevice {
 public:
  void begin_pass(const Pass& /*pass*/) override {}
  Outcome compute_forces(const WorkBudget& /*budget*/) override {
    ++evaluations;
    return Outcome::done;
  }
  void end_part(const MotionUpdate& /*last*/, const Pass& /*pass*/) override {}

  int evaluations = 0;
};

TEST(PlainDeviceTest, MakesFixedStepsToTheirEndAndNoOthers) {
  PlainDevice device;
  Physics physics;
  Stepper stepper;
  const std::atomic<bool> interrupt = true;
  stepper.configure(device, physics, physics.time_step);
  EXPECT_TRUE(stepper.advance({.interrupt = &interrupt})) << "it cannot be left";
  EXPECT_TRUE(stepper.advance({}));
  EXPECT_EQ(device.evaluations, 3) << "leapfrog needs forces before the first step";
  for (const auto* rule : {&adaptive_step, &block_step}) {
    physics.step = rule;
    Stepper refused;
    refused.configure(device, physics, physics.time_step);
    EXPECT_THROW(refused.advance({}), Error) << rule->name;
  }
}

}  // namespace
}  // namespace orrery::sim
