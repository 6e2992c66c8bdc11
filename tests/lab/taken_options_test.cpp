#include "lab/bench/engine_facts.h"

#include <gtest/gtest.h>

#include "app/picture/display_options.h"
#include "lab/setup/starting_options.h"

namespace orrery::lab {
namespace {

sim::Configuration with(const std::vector<std::string>& assignments) {
  const auto table = app::all_options();
  auto configuration = table.defaults();
  apply_assignments(table, configuration, assignments);
  return configuration;
}

/// As engines of a CPU and of a GPU say it.
sim::EngineReport report_of(const std::string& kernel) {
  sim::EngineReport report;
  report.facts = {{.key = "kernel_taken", .value = kernel},
                  {.key = "instructions", .value = std::string("avx2")},
                  {.key = "schedule", .value = std::string("batched")},
                  {.key = "split_by", .value = std::string("bodies")}};
  return report;
}

TEST(TakenOptions, AreThoseThatSayAuto) {
  const auto configuration = with({"engine=cpu", "kernel=auto"});
  const auto report = report_of("simd");
  EXPECT_EQ(taken_choice(configuration, "kernel", report), "simd");
  EXPECT_EQ(taken_choice(configuration, "instructions", report), "avx2");
  EXPECT_EQ(taken_choice(configuration, "threads", report), "") << "it is a number";
  EXPECT_EQ(taken_choice(with({"kernel=simd"}), "kernel", report), "") << "it stands for itself";
  EXPECT_EQ(taken_choice(configuration, "kernel", {}), "") << "nothing has computed yet";
}

TEST(TakenOptions, OfTheOtherEngineNothingIsTaken) {
  auto configuration = with({"engine=cpu", "kernel=auto"});
  configuration.set("family", std::string("auto"));
  EXPECT_EQ(taken_choice(configuration, "family", report_of("simd")), "");
  configuration.set("engine", std::string("cuda"));
  EXPECT_EQ(taken_choice(configuration, "family", report_of("tiled")), "tiled");
  EXPECT_EQ(taken_choice(configuration, "kernel", report_of("tiled")), "");
  EXPECT_EQ(taken_choice(configuration, "schedule", report_of("tiled")), "batched");
  EXPECT_EQ(taken_choice(configuration, "split-by", report_of("tiled")), "bodies");
}

TEST(TakenOptions, AreListed) {
  sim::EngineReport report;
  report.facts = {{.key = "kernel_taken", .value = std::string("simd")},
                  {.key = "instructions", .value = std::string("avx2")}};
  const std::vector<std::pair<std::string, std::string>> expected{{"instructions", "avx2"},
                                                                  {"kernel", "simd"}};
  EXPECT_EQ(taken_choices(with({"engine=cpu", "kernel=auto"}), report), expected);
  EXPECT_TRUE(taken_choices(with({"engine=cpu", "kernel=simd", "instructions=scalar"}), report).empty());
}

TEST(TakenOptions, StandBesideTheName) {
  EXPECT_EQ(computing_text(with({"engine=cpu", "kernel=auto"}), report_of("tree")), "auto (tree)");
  EXPECT_EQ(computing_text(with({"engine=cpu", "kernel=simd"}), report_of("simd")), "simd");
  EXPECT_EQ(with_taken("Auto", ""), "Auto");
}

}  // namespace
}  // namespace orrery::lab
