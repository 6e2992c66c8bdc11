#include "sim/options/configuration.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/core/error.h"
#include "sim/options/engine_option.h"
#include "sim/options/tree_options.h"
#include "sim/simulation/engine_registry.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

const OptionTable& table() { return checks::simulation_options(); }

std::string message_of(const auto& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(OptionTable, EveryOptionIsDescribedWhole) {
  for (const auto& option : table().options()) {
    EXPECT_FALSE(option.meaning.empty()) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
    if (option.kind == OptionKind::choice) {
      EXPECT_EQ(option.choices.size(), option.choice_meanings.size()) << option.name;
    }
    // The default is itself a value that can be typed.
    EXPECT_EQ(table().parse(option, to_string(option.default_value)), option.default_value) << option.name;
  }
}

TEST(OptionGroup, MembersHaveTheValuesOfTheirOptions) {
  auto configuration = table().defaults();
  configuration.set("opening", std::string("geometric:0.4"));
  configuration.set("group-size", std::int64_t{32});
  const auto group = tree_options(configuration);
  EXPECT_EQ(group.group_size, 32U);
  EXPECT_EQ(group.rebuild, 0U);
  EXPECT_EQ(form_text(group.opening), "geometric:0.4");
  EXPECT_EQ(group.order, "quadrupole");
}

TEST(OptionTable, TheSimulationHasNoDisplayAndTheMachineItsThreadsAndDevices) {
  std::set<std::string> of_machine;
  for (const auto& option : table().options()) {
    EXPECT_TRUE(decides_result(option)) << option.name;
    EXPECT_EQ(decides_engine(option), option.group != "physics") << option.name;
    if (belongs_to_machine(option)) of_machine.insert(option.name);
  }
  EXPECT_EQ(of_machine, (std::set<std::string>{"devices", "ranks-split", "ranks-transfer", "threads"}));
}

TEST(OptionTable, RanksForTuningAreGivenOnceForEachEngine) {
  std::map<std::string, std::set<int>> ranks;
  for (const auto& option : table().options()) {
    if (option.tuning_rank == 0) continue;
    EXPECT_TRUE(ranks[option.group].insert(option.tuning_rank).second) << option.name;
  }
  EXPECT_EQ(ranks.at("cpu").size(), 4U);
  EXPECT_EQ(ranks.at("cuda").size(), 21U);
}

TEST(OptionTable, TrialValuesAndTheAccurateOneCanBeTyped) {
  for (const auto& option : table().options()) {
    for (const auto& value : option.trial_values)
      EXPECT_EQ(table().parse(option, to_string(value)), value) << option.name;
    if (option.accurate) {
      EXPECT_EQ(table().parse(option, to_string(*option.accurate)), *option.accurate) << option.name;
    }
  }
}

TEST(Option, PeopleReadALabel) {
  EXPECT_EQ(label_of({.name = "bodies-per-thread"}), "Bodies per thread");
  EXPECT_EQ(label_of({.name = "gravity", .label = "G"}), "G");
  EXPECT_EQ(label_of(table().at("time-step")), "Time step");
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& option : table().options())
    EXPECT_TRUE(seen.emplace(option.group, label_of(option)).second)
        << option.name << ": " << label_of(option);
}

TEST(OptionTable, NamesThatAreNotKnownAreLeftOutWithANote) {
  auto configuration = table().defaults();
  const auto notes = table().assign_json(configuration, {{"D", 40}, {"map-size", 30}});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes.front(), "option 'D' is not known to this version; left out");
  EXPECT_EQ(configuration.integer("map-size"), 30);
}

TEST(OptionTable, OrderedListsKeepTheirOrder) {
  auto configuration = table().defaults();
  table().assign(configuration, "devices=3,0,3,1");
  EXPECT_EQ(configuration.choice("devices"), "3,0,1");
  for (const char* wrong :
       {"devices=none", "devices=auto,1", "devices=", "devices=0,", "devices=-1", "devices=16"})
    EXPECT_THROW(table().assign(configuration, wrong), UsageError) << wrong;
}

TEST(OptionTable, DefaultsPassTheCheck) { EXPECT_NO_THROW(table().check(table().defaults())); }

TEST(OptionTable, AssignmentsAreRead) {
  auto configuration = table().defaults();
  table().assign(configuration, "threads=3");
  table().assign(configuration, "softening=0.25");
  table().assign(configuration, "kernel=pair-symmetric");
  EXPECT_EQ(configuration.integer("threads"), 3);
  EXPECT_EQ(configuration.real("softening"), 0.25);
  EXPECT_EQ(configuration.choice("kernel"), "pair-symmetric");
}

TEST(OptionTable, MistakesAreNamed) {
  auto configuration = table().defaults();
  const auto refusal = [&](const char* text) {
    return message_of([&] { table().assign(configuration, text); });
  };
  EXPECT_NE(refusal("kernl=sequential").find("did you mean 'kernel'?"), std::string::npos);
  EXPECT_NE(refusal("kernel=fast").find("omp-bodies"), std::string::npos);
  EXPECT_NE(refusal("threads=0").find("1 to 1024"), std::string::npos);
  EXPECT_NE(refusal("threads=two").find("whole number"), std::string::npos);
  EXPECT_NE(refusal("threads=2.5").find("whole number"), std::string::npos);
  EXPECT_NE(refusal("softening=nan").find("softening"), std::string::npos);
  EXPECT_NE(refusal("softening=-1").find("0 to"), std::string::npos);
  EXPECT_NE(refusal("softening").find("NAME=VALUE"), std::string::npos);
  EXPECT_EQ(configuration, table().defaults());
}

TEST(OptionTable, AnOptionMayBeRegisteredOnlyOnce) {
  OptionTable own;
  own.add({.name = "x", .meaning = "m"});
  EXPECT_THROW(own.add({.name = "x", .meaning = "m"}), std::logic_error);
}

TEST(OptionTable, ConflictsDependOnTheContextAndSayWhy) {
  const auto& kernel = table().at("kernel");
  auto configuration = table().defaults();
  configuration.set("threads", std::int64_t{64});
  const OptionContext small{.bodies = 1000, .galaxies = 1, .host_memory = 1ULL << 30};
  const OptionContext large{.bodies = 10'000'000, .galaxies = 1, .host_memory = 1ULL << 30};
  const OptionValue pair_symmetric = std::string("pair-symmetric");
  EXPECT_EQ(table().refusal(kernel, pair_symmetric, configuration, small), "");
  EXPECT_NE(table().refusal(kernel, pair_symmetric, configuration, large).find("memory"), std::string::npos);
  configuration.set("kernel", std::string("pair-symmetric"));
  EXPECT_NO_THROW(table().check(configuration, small));
  EXPECT_THROW(table().check(configuration, large), UsageError);
}

TEST(OptionTable, ThreadsAreInactiveForTheSequentialKernel) {
  const auto& threads = table().at("threads");
  auto configuration = table().defaults();
  EXPECT_EQ(threads.inactive(configuration), "");
  configuration.set("kernel", std::string("sequential"));
  EXPECT_NE(threads.inactive(configuration).find("one thread"), std::string::npos);
}

TEST(Configuration, WhatDoesNotApplyHasNoEffect) {
  auto start = table().defaults();
  table().assign(start, "kernel=omp-bodies");
  start.set("engine", std::string("cpu"));
  const auto with = [&](const char* assignment) {
    auto changed = start;
    table().assign(changed, assignment);
    return changed;
  };
  for (const char* without : {"tile=512", "family=tensor", "precision=double", "instructions=scalar",
                              "field-center=3", "devices=1,0", "streams=2"}) {
    EXPECT_NE(with(without), start) << without;
    EXPECT_EQ(effective(table(), with(without)), effective(table(), start)) << without;
    EXPECT_TRUE(same_effect(table(), with(without), start, decides_result)) << without;
  }
  for (const char* has : {"kernel=simd", "threads=1023", "softening=9", "force-law=electric",
                          "binding=spread", "binding=cores", "dimensions=2"}) {
    EXPECT_FALSE(same_effect(table(), with(has), start, decides_result)) << has;
  }
  EXPECT_TRUE(same_effect(table(), with("binding=cores"), start, decides_bits)) << "the same bits";
  EXPECT_FALSE(same_effect(table(), with("threads=1023"), start, decides_bits)) << "of pair-symmetric";
  EXPECT_TRUE(same_effect(table(), with("softening=9"), start, decides_engine));
  EXPECT_FALSE(same_effect(table(), with("kernel=simd"), start, decides_engine));
}

TEST(Configuration, AValueThatBeginsToApplyHasItsEffect) {
  auto start = table().defaults();
  start.set("engine", std::string("cpu"));
  table().assign(start, "kernel=omp-bodies");
  auto changed = start;
  table().assign(changed, "instructions=scalar");
  EXPECT_TRUE(same_effect(table(), changed, start, decides_result));
  table().assign(changed, "kernel=simd");
  table().assign(start, "kernel=simd");
  EXPECT_FALSE(same_effect(table(), changed, start, decides_result));
}

/// Options that apply must not depend on those that do not: otherwise one pass would not do.
TEST(Configuration, TheEffectOfAnEffectIsItself) {
  for (const char* engine : {"cpu", "cuda"}) {
    for (const auto& option : table().options()) {
      for (const auto& choice : option.choices) {
        auto configuration = table().defaults();
        configuration.set("engine", std::string(engine));
        for (const char* other : {"tile=64", "streams=7", "field-center=3", "split=4", "instructions=scalar",
                                  "schedule=streams", "devices=1,2", "balance=equal", "weights=split"})
          table().assign(configuration, other);
        configuration.set(option.name, choice);
        const auto once = effective(table(), configuration);
        EXPECT_EQ(effective(table(), once), once) << engine << ": " << option.name << "=" << choice;
      }
    }
  }
}

TEST(Configuration, JsonRoundTripKeepsEveryValue) {
  auto configuration = table().defaults();
  table().assign(configuration, "time-step=0.1");
  table().assign(configuration, "threads=7");
  auto copy = table().defaults();
  EXPECT_TRUE(table().assign_json(copy, to_json(configuration)).empty());
  EXPECT_EQ(copy, configuration);
}

TEST(Configuration, JsonOfAnotherVersionIsTakenAsFarAsItGoes) {
  auto configuration = table().defaults();
  const auto notes = table().assign_json(
      configuration,
      nlohmann::json{{"threads", 2}, {"warp-drive", true}, {"kernel", "magic"}, {"softening", "wide"}});
  EXPECT_EQ(configuration.integer("threads"), 2);
  EXPECT_EQ(notes.size(), 3U);
  EXPECT_EQ(configuration.choice("kernel"), table().defaults().choice("kernel"));
}

TEST(EngineTraitsTest, EveryEngineHasThem) {
  for (const auto* kind : engine_kinds()) {
    const auto& traits = engine_traits(kind->name);
    EXPECT_EQ(traits.name, kind->name);
    EXPECT_EQ(table().at(traits.kernel_option).group, traits.option_group) << kind->name;
    EXPECT_TRUE(traits.on_gpu || !traits.emulated) << kind->name;
  }
  EXPECT_FALSE(engine_traits("abacus").on_gpu);
}

}  // namespace
}  // namespace orrery::sim
