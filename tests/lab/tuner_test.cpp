#include "lab/tuning/tuner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "sim/core/error.h"
#include "sim/options/configuration.h"
#include "sim/simulation/approximate_kernels.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::lab {
namespace {

/// A landscape of speeds over a family and two numbers: the best family is "wide" with tile 64 and unroll 8,
/// although "narrow" is faster with the defaults.
class Landscape : public testing::Test {
 protected:
  Landscape() {
    table.add(choice("family", {"narrow", "wide", "broken"}));
    table.add(number("tile"));
    table.add(number("unroll"));
    axes = parse_axes();
    limits.clock = [this] { return now; };
  }

  /// The first is the default.
  static sim::Option choice(const std::string& name, const std::vector<std::string>& choices) {
    return {.name = name,
            .group = "engine",
            .kind = sim::OptionKind::choice,
            .default_value = choices.front(),
            .choices = choices};
  }

  static sim::Option number(const std::string& name) {
    sim::Option option{.name = name, .group = "engine", .kind = sim::OptionKind::integer};
    option.default_value = std::int64_t{1};
    option.minimum = 1;
    option.maximum = 128;
    if (name != "tile") return option;
    option.conflicts.push_back(
        [](const sim::OptionValue& value, const sim::Configuration& rest, const sim::OptionContext&) {
          const bool refused = std::get<std::int64_t>(value) * rest.integer("unroll") > 1024;
          return refused ? std::string("too large") : std::string();
        });
    return option;
  }

  std::vector<SweepAxis> parse_axes() const {
    std::vector<SweepAxis> list;
    for (const auto& option : table.options()) {
      list.push_back(
          {.option = option.name, .values = sweep_values(option, table.defaults()), .named = false});
    }
    return list;
  }

  static double distance(const sim::Configuration& c, const char* name, double best) {
    return std::abs(std::log2(static_cast<double>(c.integer(name)) / best));
  }

  /// As long as the effort allows.
  TuningMeasurement timed(const sim::Configuration& c, const TuningEffort& effort) {
    const double needed = seconds_of(c);
    now += std::min(needed, effort.seconds);
    if (needed > effort.seconds) throw TooSlow("it takes too long");
    return measure(c);
  }
  virtual double seconds_of(const sim::Configuration&) const { return seconds_each; }

  virtual TuningMeasurement measure(const sim::Configuration& c) {
    ++measured;
    if (c.choice("family") == "broken") throw sim::Error("it does not compile");
    const bool wide = c.choice("family") == "wide";
    const double height = wide ? 100.0 : 40.0;
    const double off =
        wide ? distance(c, "tile", 64) + distance(c, "unroll", 8) : 0.2 * distance(c, "tile", 4);
    return {.gips = height / (1.0 + off), .error_median = 1e-7, .error_p99 = 1e-6};
  }

  TuningResult search() {
    return tune(
        table, table.defaults(), {}, axes,
        [this](const sim::Configuration& c, const TuningEffort& effort) { return timed(c, effort); }, limits);
  }

  sim::OptionTable table;
  std::vector<SweepAxis> axes;
  TuningLimits limits;
  double now = 0.0;
  double seconds_each = 0.1;
  int measured = 0;
};

TEST_F(Landscape, TheOptimumIsFoundPastABetterLookingStart) {
  const auto result = search();
  EXPECT_EQ(sim::differences(table, table.defaults(), result.best), "family=wide, tile=64, unroll=8");
  EXPECT_DOUBLE_EQ(result.best_gips, 100.0);
  EXPECT_NEAR(result.start_gips, 40.0 / 1.4, 1e-9);
  EXPECT_TRUE(result.complete);
  // Far fewer than the 192 combinations.
  EXPECT_LT(result.trials.size(), 100U);
}

TEST_F(Landscape, NothingIsMeasuredTwiceInTheSearchAndNothingRefused) {
  const auto result = search();
  std::set<std::string> seen;
  for (const auto& trial : result.trials) {
    EXPECT_TRUE(seen.insert(trial.changes).second) << trial.changes;
    EXPECT_EQ(sim::refusal_of(table, trial.configuration, {}), "") << trial.changes;
  }
}

/// The better family is too inaccurate, unless its weights are split.
class InaccurateLandscape : public Landscape {
 protected:
  InaccurateLandscape() {
    auto weights = choice("weights", {"half", "split"});
    weights.accurate = std::string("split");
    weights.inactive = [](const sim::Configuration& c) {
      return c.choice("family") == "wide" ? std::string() : std::string("no weights");
    };
    table.add(weights);
    axes = parse_axes();
  }
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto found = Landscape::measure(c);
    if (c.choice("family") == "wide" && c.choice("weights") == "half") found.error_p99 = 1e-3;
    return found;
  }
};

TEST_F(InaccurateLandscape, AFamilyThatIsOnlyTooInaccurateIsTriedWithItsAccurateValue) {
  EXPECT_EQ(sim::differences(table, table.defaults(), search().best),
            "family=wide, tile=64, unroll=8, weights=split");
}

TEST_F(Landscape, WhatAmountsToTheSameIsMeasuredOnce) {
  sim::OptionTable own;
  for (auto option : table.options()) {
    if (option.name == "tile")
      option.inactive = [](const sim::Configuration& c) -> std::string {
        return c.choice("family") == "wide" ? "" : "it has no tiles";
      };
    own.add(std::move(option));
  }
  auto start = own.defaults();
  own.assign(start, "family=wide");
  // A larger tile is better, after which the family is tried again.
  axes = parse_sweep(own, "unroll=1:2", start);
  for (auto& axis : parse_sweep(own, "family=wide:narrow,tile=1:64", start)) axes.push_back(std::move(axis));
  const auto result = tune(
      own, start, {}, axes,
      [](const sim::Configuration& c, const TuningEffort&) {
        const bool wide = c.choice("family") == "wide";
        return TuningMeasurement{.gips = wide ? 10.0 + static_cast<double>(c.integer("tile")) : 5.0};
      },
      limits);
  EXPECT_EQ(result.best.integer("tile"), 64);
  std::set<std::string> seen;
  for (const auto& trial : result.trials) {
    const auto amounts_to = sim::effective(own, trial.configuration);
    std::string effect;
    for (const auto& [name, value] : amounts_to.values()) effect += name + "=" + sim::to_string(value) + " ";
    EXPECT_TRUE(seen.insert(effect).second) << effect << "again: " << trial.changes;
  }
}

TEST_F(Landscape, WhatFailsIsThrownOutWithItsReason) {
  const auto result = search();
  const auto broken = std::ranges::find(result.trials, "family=broken", &TuningTrial::changes);
  ASSERT_NE(broken, result.trials.end());
  EXPECT_EQ(broken->rejected, "it does not compile");
}

TEST_F(Landscape, TheTimeLimitHolds) {
  for (const double seconds : {0.15, 0.5, 2.0, 3.7}) {
    now = 0.0;
    limits.seconds = seconds;
    const auto result = search();
    EXPECT_FALSE(result.complete) << seconds;
    EXPECT_LE(now, seconds) << seconds;
    EXPECT_GE(result.best_gips, result.start_gips) << seconds;
  }
}

TEST_F(Landscape, WithoutAnyTimeNothingIsMeasuredOrRemembered) {
  limits.seconds = 0.0;
  const auto result = search();
  EXPECT_EQ(measured, 0);
  EXPECT_EQ(result.best, table.defaults());
  EXPECT_TRUE(result.trials.empty());
  EXPECT_FALSE(result.complete);
  EXPECT_NE(result.nothing, "");
}

TEST_F(Landscape, WhatWasCutBeforeItComparedAnythingIsNotRemembered) {
  limits.seconds = 1.5 * seconds_each;  // the start, and nothing else
  const auto cut = search();
  EXPECT_EQ(measured, 1);
  EXPECT_NE(cut.nothing, "");
  limits.seconds = 0.5 * seconds_each;  // not even that
  EXPECT_NE(search().nothing, "");
  limits.seconds = 10.0 * seconds_each;
  EXPECT_EQ(search().nothing, "");
}

/// One family takes a hundred times as long as the others.
class SlowLandscape : public Landscape {
 protected:
  double seconds_of(const sim::Configuration& c) const override {
    return (c.choice("family") == "broken" ? 100.0 : 1.0) * seconds_each;
  }
};

TEST_F(SlowLandscape, ASlowCandidateIsCutOffWithinTheLimit) {
  limits.seconds = 10.0;
  const auto result = search();
  EXPECT_LE(now, limits.seconds);
  const auto slow = std::ranges::find(result.trials, "family=broken", &TuningTrial::changes);
  ASSERT_NE(slow, result.trials.end());
  EXPECT_EQ(slow->rejected, "it takes too long");
  EXPECT_EQ(result.best.choice("family"), "wide");
}

/// A person interrupts the n-th measurement.
class InterruptedLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    if (measured + 1 >= interrupted_at) throw sim::Cancelled();
    return Landscape::measure(c);
  }
  int interrupted_at = 1;
};

TEST_F(InterruptedLandscape, WhatWasFoundBeforeIsKept) {
  interrupted_at = 12;
  const auto result = search();
  EXPECT_TRUE(result.interrupted);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(measured, 11);
  EXPECT_EQ(result.trials.size(), 11U);  // the broken family is one of them
  EXPECT_EQ(result.nothing, "");
  EXPECT_GT(result.best_gips, result.start_gips);
}

TEST_F(InterruptedLandscape, BeforeAnythingWasComparedNothingIs) {
  for (const int at : {1, 2}) {
    interrupted_at = at;
    measured = 0;
    const auto result = search();
    EXPECT_TRUE(result.interrupted) << at;
    EXPECT_NE(result.nothing, "") << at;
  }
}

TEST_F(Landscape, TheTrialsAreWatched) {
  std::vector<std::string> watched;
  const auto result = tune(
      table, table.defaults(), {}, axes,
      [this](const sim::Configuration& c, const TuningEffort& effort) { return timed(c, effort); }, limits,
      [&](const TuningTrial& trial) { watched.push_back(trial.changes); });
  EXPECT_EQ(watched.size(), result.trials.size());
  EXPECT_EQ(watched.front(), "");
}

TEST_F(Landscape, WithoutAxesTheStartIsMeasured) {
  axes.clear();
  const auto result = search();
  EXPECT_EQ(result.best, table.defaults());
  EXPECT_TRUE(result.complete);
}

/// "wide" gives wrong answers.
class WrongLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto measurement = Landscape::measure(c);
    if (c.choice("family") == "wide") measurement.error_p99 = wrong;
    return measurement;
  }
  double wrong = 1e-3;
};

TEST_F(WrongLandscape, WrongAnswersAreThrownOut) {
  for (const double each : {1e-3, std::numeric_limits<double>::infinity(), std::nan("")}) {
    wrong = each;
    const auto result = search();
    EXPECT_EQ(sim::differences(table, table.defaults(), result.best), "tile=4") << each;
  }
}

TEST_F(WrongLandscape, TheErrorLimitDecides) {
  wrong = 1.2e-4;
  EXPECT_EQ(search().best.choice("family"), "narrow");
  limits.error = 2e-4;
  const auto result = search();
  EXPECT_EQ(result.best.choice("family"), "wide");
  EXPECT_DOUBLE_EQ(result.error_p99, wrong);
  EXPECT_DOUBLE_EQ(result.error_limit, 2e-4);
}

/// Every rate but the first ones was flattered by noise: the start is really the fastest.
class NoisyLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto measurement = Landscape::measure(c);
    const bool is_start = c == table.defaults();
    if (is_start) measurement.gips = measured == 1 ? 1.0 : 50.0;
    if (!is_start) measurement.gips = std::min(measurement.gips, 45.0);
    return measurement;
  }
};

TEST_F(NoisyLandscape, NeverSlowerThanTheStart) {
  const auto result = search();
  EXPECT_EQ(result.best, table.defaults());
  EXPECT_DOUBLE_EQ(result.best_gips, 50.0);
}

/// A start that is inexact by nature, as with softening 0.
class InexactLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto measurement = Landscape::measure(c);
    measurement.error_p99 = 5e-4;
    return measurement;
  }
};

TEST_F(InexactLandscape, AnInexactStartSetsTheLimit) { EXPECT_EQ(search().best.choice("family"), "wide"); }

TEST_F(InexactLandscape, ALimitThatWasAskedForStays) {
  limits.strict = true;
  const auto result = search();
  EXPECT_NE(result.nothing, "");
  for (const auto& trial : result.trials) EXPECT_NE(trial.rejected, "") << trial.changes;
}

/// Other programs use the cores all the while.
class BusyLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto measurement = Landscape::measure(c);
    measurement.busy = true;
    return measurement;
  }
};

TEST_F(BusyLandscape, WhatWasMeasuredUnderLoadIsNotRemembered) {
  EXPECT_NE(search().nothing.find("the machine is busy"), std::string::npos);
  limits.under_load = true;
  const auto result = search();
  EXPECT_EQ(result.nothing, "") << "unless somebody wants that";
  EXPECT_GT(result.best_gips, result.start_gips);
}

/// Everything is as fast, but every measurement is another.
class AlikeLandscape : public Landscape {
 protected:
  TuningMeasurement measure(const sim::Configuration& c) override {
    auto measurement = Landscape::measure(c);
    measurement.gips = 80.0 + 4.0 * (7 * measured % 11);
    return measurement;
  }
};

TEST_F(AlikeLandscape, WhatOnlyLooksFasterIsNotTaken) {
  const auto result = search();
  EXPECT_TRUE(result.no_difference);
  EXPECT_EQ(result.best, table.defaults());
  EXPECT_EQ(result.best_gips, result.start_gips);
}

TEST(TuningAxes, KeepTheAnswerAndWhatWasFixed) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto start = table.defaults();
  start.set("engine", std::string("cpu"));
  const auto cpu = tuning_axes(table, start);
  ASSERT_EQ(cpu.size(), 4U);
  EXPECT_EQ(cpu[0].option, "kernel");
  EXPECT_EQ(cpu[1].option, "threads");
  EXPECT_EQ(cpu[2].option, "instructions");
  EXPECT_EQ(cpu[3].option, "binding");
  EXPECT_EQ(tuning_axes(table, start, {"kernel"}).front().option, "threads");

  start.set("engine", std::string("cuda"));
  const auto names = tunable_options(table, start);
  EXPECT_EQ(names.front(), "family");
  for (const char* needed : {"tile", "block", "unroll", "layout", "registers", "tiling", "arithmetic",
                             "bodies-per-thread", "split", "schedule", "streams"}) {
    EXPECT_NE(std::ranges::find(names, needed), names.end()) << needed;
  }
  for (const char* forbidden :
       {"precision", "dimensions", "integrator", "devices", "transfers", "force-law"}) {
    EXPECT_EQ(std::ranges::find(names, forbidden), names.end()) << forbidden;
  }
}

/// Within an error that is asked for trees are as good as others.
TEST(TuningAxes, HaveTreesWhereAnErrorIsAllowed) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto start = table.defaults();
  for (const char* engine : {"cpu", "cuda"}) {
    start.set("engine", std::string(engine));
    const auto has = [](const SweepAxis& axis, const char* value) {
      return std::ranges::find(axis.values, sim::OptionValue(std::string(value))) != axis.values.end();
    };
    EXPECT_FALSE(has(tuning_axes(table, start).front(), "tree"));
    const auto axes = tuning_axes(table, start, {}, 1e-3);
    EXPECT_TRUE(has(axes.front(), "tree"));
    EXPECT_FALSE(has(axes.front(), "auto")) << "it is one of the others";
    EXPECT_EQ(axes.back().option, "accuracy");
    for (const auto& value : axes.back().values) EXPECT_LT(std::get<double>(value), 1e-3);
    EXPECT_TRUE(axes.back().accurate);
    EXPECT_NE(tuning_axes(table, start, {"accuracy"}, 1e-3).back().option, "accuracy");
  }
}

/// The values of the first axis of an engine, as tuning tries them.
std::vector<std::string> order_of(const std::string& engine) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  auto start = table.defaults();
  start.set("engine", engine);
  std::vector<std::string> names;
  const auto axes = tuning_axes(table, start);
  for (const auto& value : axes.front().values) names.push_back(sim::to_string(value));
  return names;
}

TEST(TuningAxes, FastKernelsComeFirst) {
  const auto cpu = order_of("cpu");
  EXPECT_EQ(cpu.front(), "simd");
  EXPECT_EQ(cpu.at(1), "simd-pair-symmetric");
  EXPECT_EQ(cpu.back(), "triu");
  const auto cuda = order_of("cuda");
  EXPECT_EQ((std::vector<std::string>(cuda.begin(), cuda.begin() + 4)),
            (std::vector<std::string>{"tensor-pairs", "tensor", "tensor-sum", "register-split"}));
  EXPECT_EQ(cuda.back(), "pairs-atomic");
}

TEST(TuningAxes, EveryKernelSaysHowFastItIs) {
  sim::OptionTable table;
  sim::add_simulation_options(table);
  for (const char* name : {"kernel", "family"}) {
    const auto& option = table.at(name);
    ASSERT_EQ(option.usual_rates.size(), option.choices.size()) << name;
    for (std::size_t k = 0; k < option.choices.size(); ++k)
      EXPECT_GT(option.usual_rates[k], 0.0) << option.choices[k];
  }
}

/// A GPU with the options of the real one: each family as fast as it says, an evaluation of 2^37
/// interactions, every configuration compiled for a second before.
class MadeUpGpu : public testing::Test {
 protected:
  static constexpr double giga_interactions = 137.0;

  MadeUpGpu() {
    sim::OptionTable real;
    sim::add_simulation_options(real);
    for (auto option : real.options()) {
      // Whether there is a GPU here does not matter.
      if (option.name == "engine" || option.name == "devices") option.conflicts.clear();
      table.add(std::move(option));
    }
    start = table.defaults();
    start.set("engine", std::string("cuda"));
    limits.clock = [this] { return now; };
  }

  double rate_of(const sim::Configuration& c) const {
    const auto& family = table.at("family");
    const auto at = std::ranges::find(family.choices, c.choice("family")) - family.choices.begin();
    return family.usual_rates.at(static_cast<std::size_t>(at));
  }

  TuningMeasurement measure(const sim::Configuration& c, const TuningEffort& effort) {
    constexpr double compiling = 1.0;
    const double needed = compiling + 3.0 * giga_interactions / rate_of(c);
    now += std::min(needed, std::max(effort.seconds, compiling));
    if (needed > effort.seconds) throw TooSlow("it takes too long");
    const bool tensor = c.choice("family").starts_with("tensor");
    const bool exact = !tensor || c.choice("weights") == "split";
    return {.gips = rate_of(c), .error_median = 1e-7, .error_p99 = exact ? 1e-6 : 1.2e-4};
  }

  TuningResult search() {
    now = 0.0;
    return tune(
        table, start, {.bodies = 370'000, .galaxies = 1}, tuning_axes(table, start),
        [this](const sim::Configuration& c, const TuningEffort& effort) { return measure(c, effort); },
        limits);
  }

  sim::OptionTable table;
  sim::Configuration start;
  TuningLimits limits;
  double now = 0.0;
};

TEST_F(MadeUpGpu, TenSecondsAreEnoughForTheFastestAndHold) {
  limits.seconds = 10.0;
  limits.error = 1e-3;
  const auto result = search();
  EXPECT_LE(now, 10.0);
  EXPECT_EQ(result.best.choice("family"), "tensor-pairs");
  EXPECT_EQ(result.nothing, "");
}

TEST_F(MadeUpGpu, DigitsAreNotTradedForSpeed) {
  for (const double seconds : {10.0, 60.0}) {
    limits.seconds = seconds;
    const auto result = search();
    EXPECT_LE(now, seconds);
    EXPECT_LE(result.error_p99, 1e-5);
    EXPECT_GT(result.best_gips, result.start_gips);
    const bool tensor = result.best.choice("family").starts_with("tensor");
    EXPECT_TRUE(!tensor || result.best.choice("weights") == "split");
  }
}

}  // namespace
}  // namespace orrery::lab
