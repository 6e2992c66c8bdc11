#include "app/window/option_keeper.h"

#include <gtest/gtest.h>

#include <functional>

#include "app/picture/display_options.h"
#include "app/picture/persistent_options.h"

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

class OptionHistoryTest : public ::testing::Test {
 protected:
  void set(const char* assignment, std::chrono::seconds wait = 5s) {
    table.assign(now, assignment);
    when += wait;
    history.note(now, when);
  }
  std::string undo() { return text(history.undo(now, refusal)); }
  std::string redo() { return text(history.redo(now, refusal)); }
  std::string text(const std::optional<OptionHistory::Step>& step) const {
    if (!step) return "nothing";
    return step->refusal.empty() ? change_text(table, step->change) : step->refusal;
  }

  sim::OptionTable table = all_options();
  sim::Configuration now = table.defaults();
  OptionHistory history;
  OptionHistory::Clock::time_point when{};
  std::string reason;
  std::function<std::string(const sim::Configuration&)> refusal = [this](const auto&) { return reason; };

  OptionHistoryTest() { history.accept(now); }
};

TEST_F(OptionHistoryTest, GoesBackAndForthThroughEveryState) {
  std::vector<sim::Configuration> states{now};
  for (const char* assignment : {"glow=0.5", "legend=off", "color-mode=speed", "glow=0.7"}) {
    set(assignment);
    states.push_back(now);
  }
  EXPECT_EQ(undo(), "Glow is 0.5");
  EXPECT_EQ(now, states[3]);
  for (auto k = 3; k-- > 0;) {
    undo();
    EXPECT_EQ(now, states.at(static_cast<std::size_t>(k)));
  }
  EXPECT_EQ(undo(), "nothing");
  for (std::size_t k = 1; k < states.size(); ++k) {
    redo();
    EXPECT_EQ(now, states[k]);
  }
  EXPECT_EQ(redo(), "nothing");
}

TEST_F(OptionHistoryTest, ANewChangeForgetsWhatWasUndone) {
  set("glow=0.5");
  undo();
  set("legend=off");
  EXPECT_EQ(redo(), "nothing");
  EXPECT_EQ(undo(), "Legend is on");
  EXPECT_EQ(undo(), "nothing");
}

TEST_F(OptionHistoryTest, ANumberThatMovesOnIsOneChangeAChoiceIsNot) {
  set("exposure=1");
  set("exposure=2", 0s);
  set("exposure=3", 1s);
  set("exposure=4", 5s);
  EXPECT_EQ(undo(), "Exposure is auto:3");
  EXPECT_EQ(undo(), "Exposure is auto:0");
  set("color-mode=speed");
  set("color-mode=mass", 0s);
  EXPECT_EQ(undo(), "Colour shows is speed");
}

TEST_F(OptionHistoryTest, WhatADatasetChangesIsNotUndone) {
  set("glow=0.5");
  table.assign(now, "softening=0.3");
  history.accept(now);
  undo();
  EXPECT_EQ(now.real("glow"), table.defaults().real("glow"));
  EXPECT_EQ(now.real("softening"), 0.3);
}

TEST_F(OptionHistoryTest, ARefusedStepChangesNothingAndIsPassedOver) {
  set("legend=off");
  set("glow=0.5");
  const auto before = now;
  reason = "no";
  EXPECT_EQ(undo(), "no");
  EXPECT_EQ(now, before);
  reason.clear();
  EXPECT_EQ(undo(), "Legend is on");
}

TEST_F(OptionHistoryTest, ManyOptionsAtOnceAreOneChangeThatNamesThem) {
  for (const char* assignment : {"glow=0.5", "legend=off", "dither=off", "size=3", "exposure=1"})
    table.assign(now, assignment);
  set("brightness=2");
  const auto words = undo();
  EXPECT_TRUE(words.starts_with("6 options (")) << words;
  EXPECT_TRUE(words.ends_with(", ...)")) << words;
  EXPECT_EQ(now, table.defaults());
}

TEST(KeptOptions, AreLooksThatSuitEveryDataset) {
  const auto table = all_options();
  for (const char* name : {"glow", "legend", "color-mode", "size", "trails", "map-color"})
    EXPECT_TRUE(is_persistent(table.at(name))) << name;
  for (const char* name : {"speed", "color-range", "softening", "engine", "map-size"})
    EXPECT_FALSE(is_persistent(table.at(name))) << name;
}

TEST(KeptOptions, AreSetAgainAndWhatNoLongerFitsIsSaid) {
  const auto table = all_options();
  auto configuration = table.defaults();
  const auto problems = apply_kept(
      table, {{"glow", "0.4"}, {"softening", "9"}, {"legend", "perhaps"}, {"of-old", "1"}}, configuration);
  EXPECT_EQ(configuration.real("glow"), 0.4);
  EXPECT_EQ(configuration.real("softening"), table.defaults().real("softening"));
  EXPECT_TRUE(configuration.boolean("legend"));
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_NE(problems[0].find("legend"), std::string::npos) << problems[0];
  EXPECT_NE(problems[1].find("of-old"), std::string::npos) << problems[1];
}

TEST(PersistentOptions, NumbersOfOneDatasetAreNotKept) {
  const auto table = all_options();
  const auto& highlight = table.at("highlight");
  EXPECT_EQ(kept_value(highlight, std::string("color:3"), highlight.default_value),
            sim::OptionValue(std::string("color:-1")));
  EXPECT_EQ(kept_value(highlight, std::string("color:3"), std::string("off:5")),
            sim::OptionValue(std::string("color:5")));
  const auto& trails = table.at("trails");
  EXPECT_EQ(kept_value(trails, std::string("range:7:3"), trails.default_value),
            sim::OptionValue(std::string("range:0:3")));
}

}  // namespace
}  // namespace orrery::app
