#include "lab/bench/engine_facts.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lab/setup/machine.h"

namespace orrery::lab {
namespace {

/// An engine that nobody here knows.
sim::EngineReport invented() {
  sim::EngineReport report{.device = "an abacus", .devices = 2};
  report.limits = {{.key = "bead_limit", .label = "bead limit", .gips = 200.0, .operations = 3.0},
                   {.key = "finger_limit", .label = "finger limit"}};
  report.facts = {{.key = "beads", .value = std::int64_t{1234567}, .label = "beads"},
                  {.key = "frame_bytes", .value = std::int64_t{12288}, .label = "frame", .unit = "B"},
                  {.key = "worn", .value = 0.25, .label = "worn", .unit = "%"},
                  {.key = "delay_ms", .value = 0.0625, .label = "delay", .unit = "ms"},
                  {.key = "wood", .value = std::string("oak"), .label = "wood"},
                  {.key = "age", .value = {}, .label = "age"},
                  {.key = "serial", .value = std::int64_t{7}}};
  return report;
}

TEST(EngineFacts, AreTextsForPeople) {
  const auto facts = invented().facts;
  EXPECT_EQ(fact_text(facts[0]), "beads 1234567");
  EXPECT_EQ(fact_text(facts[1]), "frame 12.0 KiB");
  EXPECT_EQ(fact_text(facts[2]), "worn 25 %");
  EXPECT_EQ(fact_text(facts[3]), "delay 0.0625 ms");
  EXPECT_EQ(fact_text(facts[4]), "wood oak");
  EXPECT_EQ(fact_text(facts[5]), "") << "it is not known";
  EXPECT_EQ(fact_text(facts[6]), "") << "it has no label";
  EXPECT_EQ(fact_text({.key = "few", .value = std::int64_t{12}, .label = "few", .unit = "B"}), "few 12 B");
  EXPECT_EQ(fact_text({.key = "none", .value = std::string(), .label = "none"}), "");
}

TEST(EngineFacts, AreInJsonWithTheLimits) {
  const auto json = report_json(invented(), 50.0);
  EXPECT_EQ(json,
            nlohmann::json::parse(R"({"devices": 2, "bead_limit_gips": 200.0, "percent_of_bead_limit": 25.0,
    "finger_limit_gips": null, "percent_of_finger_limit": null, "beads": 1234567, "frame_bytes": 12288,
    "worn": 0.25, "delay_ms": 0.0625, "wood": "oak", "age": null, "serial": 7})"));
  EXPECT_TRUE(json.at("beads").is_number_integer());
}

TEST(EngineFacts, AreFoundByTheirKeys) {
  const auto report = invented();
  EXPECT_EQ(report.number("beads"), 1234567.0);
  EXPECT_EQ(report.number("delay_ms"), 0.0625);
  EXPECT_EQ(report.text("wood"), "oak");
  EXPECT_EQ(report.number("wood"), 0.0);
  EXPECT_EQ(report.text("beads"), "");
  EXPECT_EQ(report.number("nothing"), 0.0);
  EXPECT_EQ(report.limit("nothing").gips, 0.0);
}

TEST(EngineFacts, LimitsOfDevicesAreAdded) {
  sim::EngineReport report;
  for (int device = 0; device < 2; ++device) {
    report.add({.key = sim::limit_keys::issue, .label = "issue limit", .gips = 100.0, .operations = 18.0});
    report.add({.key = sim::limit_keys::fp64, .label = "FP64 limit", .gips = 10.0});
  }
  ASSERT_EQ(report.limits.size(), 2U);
  EXPECT_EQ(report.limit(sim::limit_keys::issue).gips, 200.0);
  EXPECT_EQ(report.limit(sim::limit_keys::issue).operations, 18.0)
      << "of an interaction, wherever it is computed";
  EXPECT_EQ(counted_text(report, 100.0),
            "18.0 slots per interaction: 50 % of the issue limit, 500 % of the FP64 limit");
}

TEST(EngineFacts, WithoutADeviceTheProcessorComputes) {
  EXPECT_EQ(device_name({}), this_machine().cpu);
  EXPECT_EQ(device_name(invented()), "an abacus");
}

}  // namespace
}  // namespace orrery::lab
