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

  virtual TuningMeasurement measure(const sim::Configuration& c) {
    now += seconds_each;
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
        table, table.defaults(), {}, axes, [this](const sim::Configuration& c, double) { return measure(c); },
        limits);
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
  EXPECT_EQ(differences(table, table.defaults(), result.best), "family=wide, tile=64, unroll=8");
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
    if (c.choice("family") == "wide" && c.choice("weights") == "half") found.error_median = 1e-3;
    return found;
  }
};

TEST_F(InaccurateLandscape, AFamilyThatIsOnlyTooInaccurateIsTriedWithItsAccurateValue) {
  EXPECT_EQ(differences(table, table.defaults(), search().best),
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
      [](const sim::Configuration& c, double) {
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
  limits.seconds = 2.0;
  const auto result = search();
  EXPECT_FALSE(result.complete);
  EXPECT_LE(result.trials.size(), 17U);
  // The search ends at 1.6; of the rounds at the end one is always made, of four measurements each.
  EXPECT_LE(now, 2.0 + 5 * seconds_each);
  EXPECT_GE(result.best_gips, result.start_gips);
}

TEST_F(Landscape, WithoutAnyTimeTheStartStays) {
  limits.seconds = 0.0;
  const auto result = search();
  EXPECT_EQ(result.best, table.defaults());
  EXPECT_EQ(result.trials.size(), 1U);
  EXPECT_DOUBLE_EQ(result.best_gips, result.start_gips);
}

TEST_F(Landscape, TheTrialsAreWatched) {
  std::vector<std::string> watched;
  const auto result = tune(
      table, table.defaults(), {}, axes, [this](const sim::Configuration& c, double) { return measure(c); },
      limits, [&](const TuningTrial& trial) { watched.push_back(trial.changes); });
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
    if (c.choice("family") == "wide") measurement.error_median = wrong;
    return measurement;
  }
  double wrong = 1e-3;
};

TEST_F(WrongLandscape, WrongAnswersAreThrownOut) {
  for (const double each : {1e-3, std::numeric_limits<double>::infinity(), std::nan("")}) {
    wrong = each;
    const auto result = search();
    EXPECT_EQ(differences(table, table.defaults(), result.best), "tile=4") << each;
  }
}

TEST_F(WrongLandscape, TheToleranceDecides) {
  limits.error_median = 2e-3;
  EXPECT_EQ(search().best.choice("family"), "wide");
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
    measurement.error_median = 5e-4;
    return measurement;
  }
};

TEST_F(InexactLandscape, AnInexactStartSetsTheTolerance) {
  EXPECT_EQ(search().best.choice("family"), "wide");
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
  for (const char* needed :
       {"tile", "block", "unroll", "layout", "registers", "span", "arithmetic", "bodies-per-thread",
        "row-tiles", "split", "polynomial", "schedule", "streams"}) {
    EXPECT_NE(std::ranges::find(names, needed), names.end()) << needed;
  }
  for (const char* forbidden :
       {"precision", "dimensions", "integrator", "device", "transfers", "force-law"}) {
    EXPECT_EQ(std::ranges::find(names, forbidden), names.end()) << forbidden;
  }
}

}  // namespace
}  // namespace orrery::lab
