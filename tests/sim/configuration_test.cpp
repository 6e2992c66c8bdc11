#include "sim/tuning/configuration.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine_cases.h"
#include "sim/error.h"

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

TEST(OptionTable, DefaultsPassTheCheck) { EXPECT_NO_THROW(table().check(table().defaults())); }

TEST(OptionTable, AssignmentsAreRead) {
  auto configuration = table().defaults();
  table().assign(configuration, "threads=3");
  table().assign(configuration, "softening=0.25");
  table().assign(configuration, "kernel=shared-edge");
  EXPECT_EQ(configuration.integer("threads"), 3);
  EXPECT_EQ(configuration.real("softening"), 0.25);
  EXPECT_EQ(configuration.choice("kernel"), "shared-edge");
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
  const OptionValue shared_edge = std::string("shared-edge");
  EXPECT_EQ(table().refusal(kernel, shared_edge, configuration, small), "");
  EXPECT_NE(table().refusal(kernel, shared_edge, configuration, large).find("memory"), std::string::npos);
  configuration.set("kernel", std::string("shared-edge"));
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

}  // namespace
}  // namespace orrery::sim
