#include "lab/sweeps/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/core/error.h"
#include "sim/simulation/simulation_options.h"

namespace orrery::lab {
namespace {

class SweepTest : public testing::Test {
 protected:
  SweepTest() {
    sim::add_simulation_options(table);
    start = table.defaults();
  }
  /// The sweep that `text` asks for.
  Sweep sweep(const std::string& text) const {
    return make_sweep(table, parse_sweep(table, text, start), start, {.bodies = 1000, .galaxies = 1});
  }
  std::vector<std::string> values(const std::string& option) const {
    std::vector<std::string> texts;
    for (const auto& value : sweep_values(table.at(option), start)) texts.push_back(sim::to_string(value));
    return texts;
  }

  sim::OptionTable table;
  sim::Configuration start;
};

using Texts = std::vector<std::string>;

TEST_F(SweepTest, EveryKindOfOptionHasSensibleValues) {
  EXPECT_EQ(values("tile"), (Texts{"16", "32", "64", "128", "256", "512", "1024", "2048"}));
  EXPECT_EQ(values("unroll"), (Texts{"1", "2", "4", "8", "16", "32", "64", "128"}));
  EXPECT_EQ(values("bodies-per-thread"), (Texts{"1", "2", "3", "4", "5", "6", "7", "8"}));
  EXPECT_EQ(values("registers").front(), "0");
  EXPECT_EQ(values("math"), (Texts{"ieee", "flush-to-zero", "fast"}));
  EXPECT_EQ(values("opening"), (Texts{"relative:0.01", "geometric:0.7"}));
  EXPECT_EQ(values("layout"), (Texts{"aos", "aos-mass", "split", "float4", "soa"}));
  start.set("softening", 0.4);
  EXPECT_EQ(values("softening"), (Texts{"0.1", "0.2", "0.4", "0.8", "1.6"}));
  // A value that does not change with its factor is tried once.
  start.set("softening", 0.0);
  EXPECT_EQ(values("softening"), (Texts{"0"}));
}

TEST_F(SweepTest, ValuesLieWithinTheLimitsOfEveryOption) {
  for (const auto& option : table.options()) {
    for (const auto& value : sweep_values(option, start)) {
      EXPECT_EQ(table.parse(option, sim::to_string(value)), value) << option.name;
    }
  }
}

TEST_F(SweepTest, ThreadsEndAtOneAProcessor) {
  const auto threads = sweep_values(table.at("threads"), start);
  EXPECT_EQ(threads.front(), sim::OptionValue(std::int64_t{1}));
  EXPECT_EQ(threads.back(), table.at("threads").default_value);
}

TEST_F(SweepTest, AnOptionMaySayWhatIsTried) {
  const sim::Option option{.name = "x",
                           .kind = sim::OptionKind::integer,
                           .default_value = std::int64_t{0},
                           .maximum = 1000,
                           .trial_values = {std::int64_t{3}, std::int64_t{900}}};
  EXPECT_EQ(sweep_values(option, start), option.trial_values);
}

TEST_F(SweepTest, WhatIsOnlySeenCannotBeSwept) {
  table.add({.name = "glow", .scope = sim::OptionScope::display});
  EXPECT_THROW(parse_sweep(table, "glow", start), sim::UsageError);
}

TEST_F(SweepTest, NamedValuesAreTakenInTheirOrder) {
  const auto axes = parse_sweep(table, "tile=512:64,unroll=1:4:16", start);
  ASSERT_EQ(axes.size(), 2U);
  EXPECT_EQ(axes[0].option, "tile");
  EXPECT_EQ(axes[0].values, (std::vector<sim::OptionValue>{std::int64_t{512}, std::int64_t{64}}));
  EXPECT_TRUE(axes[0].named);
  EXPECT_EQ(axes[1].values.size(), 3U);
  const auto forms = parse_sweep(table, "step=block:0.05/block:0.1/fixed", start).front();
  EXPECT_EQ(forms.values.size(), 3U) << "values with colons";
  EXPECT_FALSE(parse_sweep(table, "tile", start).front().named);
}

TEST_F(SweepTest, MistakesAreUsageErrors) {
  for (const char* wrong : {"", ",", "tile,", "tile,tile", "tile,unroll,block", "tiles", "tile=", "tile=64:",
                            "tile=64:64", "tile=7", "tile=64:huge", "kernel=nope,threads"}) {
    EXPECT_THROW(parse_sweep(table, wrong, start), sim::UsageError) << wrong;
  }
}

TEST_F(SweepTest, TheGridHoldsEveryCombinationRowByRow) {
  const auto grid = sweep("threads=1:2:3,kernel=sequential:omp-bodies");
  EXPECT_EQ(grid.row_count(), 3U);
  EXPECT_EQ(grid.column_count(), 2U);
  ASSERT_EQ(grid.cells.size(), 6U);
  EXPECT_EQ(grid.cell(2, 0).configuration.integer("threads"), 3);
  EXPECT_EQ(grid.cell(2, 0).configuration.choice("kernel"), "sequential");
  EXPECT_EQ(grid.cell(0, 1).configuration.choice("kernel"), "omp-bodies");
  EXPECT_EQ(grid.cell(0, 1).configuration.real("softening"), start.real("softening"));
  EXPECT_TRUE(grid.notes.empty());
  const auto line = sweep("threads=1:2");
  EXPECT_EQ(line.column_count(), 1U);
  EXPECT_EQ(line.cells.size(), 2U);
}

TEST_F(SweepTest, AnOptionWithoutEffectIsSaid) {
  const auto grid = sweep("tile=64:128");
  ASSERT_EQ(grid.notes.size(), 1U);
  EXPECT_NE(grid.notes[0].find("only the CUDA engine"), std::string::npos) << grid.notes[0];
}

/// Two options, of which some pairs are refused.
sim::OptionTable invented_table() {
  sim::OptionTable table;
  sim::Option a{
      .name = "a", .group = "engine", .kind = sim::OptionKind::integer, .default_value = std::int64_t{1}};
  a.minimum = 1;
  a.maximum = 4;
  a.conflicts.push_back(
      [](const sim::OptionValue& value, const sim::Configuration& rest, const sim::OptionContext& context) {
        const auto product = std::get<std::int64_t>(value) * rest.integer("b");
        if (std::get<std::int64_t>(value) == 3) return std::string("three is never allowed");
        return product > static_cast<std::int64_t>(context.bodies) ? std::string("too many") : std::string();
      });
  sim::Option b = a;
  b.name = "b";
  b.conflicts.clear();
  table.add(a);
  table.add(b);
  return table;
}

TEST(InventedSweep, RefusedCombinationsStayWithTheirReason) {
  const auto invented = invented_table();
  const auto base = invented.defaults();
  const auto grid = make_sweep(invented, parse_sweep(invented, "a,b", base), base, {.bodies = 8});
  // 3 was not named and can never be: no row for it.
  EXPECT_EQ(grid.row_count(), 3U);
  ASSERT_EQ(grid.notes.size(), 1U);
  EXPECT_NE(grid.notes[0].find("a 3"), std::string::npos) << grid.notes[0];
  EXPECT_NE(grid.notes[0].find("three is never allowed"), std::string::npos) << grid.notes[0];
  EXPECT_TRUE(grid.cell(2, 1).refusal.empty());
  EXPECT_EQ(grid.cell(2, 2).refusal, "a=4: too many");
  const auto reasons = grid.reasons();
  ASSERT_EQ(reasons.size(), 1U);
  EXPECT_EQ(reasons[0].second, 2U);
}

TEST(InventedSweep, NamedValuesStayEvenIfRefused) {
  const auto invented = invented_table();
  const auto base = invented.defaults();
  const auto grid = make_sweep(invented, parse_sweep(invented, "a=3:4", base), base, {.bodies = 8});
  EXPECT_EQ(grid.row_count(), 2U);
  EXPECT_EQ(grid.cell(0, 0).refusal, "a=3: three is never allowed");
}

TEST(InventedSweep, WhereNothingIsPossibleEverythingStays) {
  const auto invented = invented_table();
  const auto base = invented.defaults();
  const auto grid = make_sweep(invented, parse_sweep(invented, "a", base), base, {.bodies = 0});
  EXPECT_EQ(grid.row_count(), 4U);
  EXPECT_TRUE(std::ranges::none_of(grid.cells, &std::string::empty, &SweepCell::refusal));
}

TEST(InventedSweep, TheBestIsTheFastestMeasured) {
  const auto invented = invented_table();
  const auto base = invented.defaults();
  auto grid = make_sweep(invented, parse_sweep(invented, "a,b", base), base, {.bodies = 100});
  EXPECT_EQ(grid.best(), nullptr);
  grid.cell(0, 0).speed.median = 5.0;  // not measured
  grid.cell(1, 0).measured = grid.cell(1, 1).measured = true;
  grid.cell(1, 0).speed.median = 2.0;
  grid.cell(1, 1).speed.median = 3.0;
  EXPECT_EQ(grid.best(), &grid.cell(1, 1));
}

}  // namespace
}  // namespace orrery::lab
