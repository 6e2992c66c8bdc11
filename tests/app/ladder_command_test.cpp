#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line_testing.h"

// Ladders: those of the program, and a person's own.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;
using orrery::test::own_ladder;

TEST_F(CommandLine, AllLaddersHaveEveryRung) {
  const auto outcome = orrery("ladder all --bodies 300 --galaxies 1 --steps 1 --json -");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  ASSERT_GE(json.at("ladders").size(), 5U);
  for (const auto& ladder : json.at("ladders")) {
    EXPECT_FALSE(ladder.at("rungs").empty()) << ladder.at("name");
    for (const auto& rung : ladder.at("rungs")) {
      EXPECT_NE(rung.at("measured").get<bool>(), !rung.at("reason").get<std::string>().empty()) << rung;
      if (rung.at("measured")) {
        EXPECT_LT(rung.at("force_error_median").get<double>(), 1e-4) << rung;
      }
    }
  }
}

TEST_F(CommandLine, ALadderPrintsATable) {
  const auto outcome = orrery("ladder ece415-2022 --bodies 200 --steps 1 --csv a.csv --json a.json");
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  for (const char* rung : {"sequential", "omp3", "gpu-baseline", "ftz"})
    EXPECT_NE(outcome.output.find(std::string("\n") + rung + " "), std::string::npos) << rung;
  EXPECT_GT(lines(text_of(path("a.csv"))), 10);
  EXPECT_EQ(nlohmann::json::parse(text_of(path("a.json"))).at("ladders").at(0).at("name"), "ece415-2022");
}

TEST_F(CommandLine, OwnLaddersNeedNoRebuild) {
  fs::create_directories(folder_ / "here");
  fs::create_directories(folder_ / ".config" / "orrery" / "ladders");
  std::ofstream(path("here/first.json")) << own_ladder;
  std::ofstream(path(".config/orrery/ladders/second.json")) << own_ladder;
  for (const char* name : {"first", "second"}) {
    // An XDG_CONFIG_HOME of the machine would be somebody else's.
    ASSERT_EQ(unsetenv("XDG_CONFIG_HOME"), 0);
    const auto outcome = orrery("ladder " + std::string(name) + " --ladders here --steps 1 --csv -");
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    EXPECT_NE(outcome.output.find(std::string(name) + ",only,150,1,1,"), std::string::npos) << outcome.output;
  }
  EXPECT_EQ(orrery("ladder first --steps 1").status, 2) << "only with --ladders";
  std::ofstream(path("here/first.json")) << "{";
  const auto damaged = orrery("ladder first --ladders here --steps 1");
  EXPECT_EQ(damaged.status, 1);
  EXPECT_NE(damaged.errors.find("is no JSON"), std::string::npos) << damaged.errors;
}

}  // namespace
