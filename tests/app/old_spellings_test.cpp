#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "command_line_testing.h"

// `bench --ladder`, `--sweep` and `--pipeline`: commands of their own now.
namespace {

namespace fs = std::filesystem;

using orrery::test::CommandLine;
using orrery::test::own_ladder;

/// What is named, as opposed to what is measured: the same however often it runs.
nlohmann::json names_in(const nlohmann::json& report) {
  nlohmann::json names;
  for (const auto& ladder : report.value("ladders", nlohmann::json::array())) {
    names.push_back(ladder.at("name"));
    for (const auto& rung : ladder.at("rungs"))
      names.push_back(
          {rung.at("name"), rung.at("measured"), rung.value("bodies", 0), rung.value("steps", 0)});
  }
  for (const auto& cell : report.value("cells", nlohmann::json::array()))
    names.push_back({cell.at("threads"), cell.value("bodies", 0), cell.value("steps", 0)});
  return names;
}

TEST_F(CommandLine, OldSpellingsGoOnWithAHint) {
  struct Spelling {
    const char* before;
    const char* now;
    const char* hint;
  };
  const std::string few = " --bodies 300 --steps 1 --threads 1 --json -";
  for (const auto& [before, now, hint] :
       {Spelling{"bench disk --ladder ece1782 --galaxies 2", "ladder ece1782 disk --galaxies 2",
                 "orrery bench --ladder ece1782 is now: orrery ladder ece1782\n"},
        Spelling{"bench --ladders here --ladder=mine", "ladder mine --ladders here",
                 "orrery bench --ladder mine is now: orrery ladder mine\n"},
        Spelling{"bench --engine cpu --sweep threads=1:2 plummer", "sweep threads=1:2 plummer --engine cpu",
                 "orrery bench --sweep threads=1:2 is now: orrery sweep threads=1:2\n"}}) {
    SCOPED_TRACE(before);
    fs::create_directories(folder_ / "here");
    std::ofstream(path("here/mine.json")) << own_ladder;
    const auto old = orrery(before + few);
    const auto renewed = orrery(now + few);
    ASSERT_EQ(old.status, 0) << old.errors;
    ASSERT_EQ(renewed.status, 0) << renewed.errors;
    EXPECT_EQ(old.errors, renewed.errors + hint);
    const auto names = names_in(nlohmann::json::parse(old.output));
    EXPECT_GE(names.size(), 2U);
    EXPECT_EQ(names, names_in(nlohmann::json::parse(renewed.output)));
  }
}

/// Without a GPU both say the same of it, with one both run.
TEST_F(CommandLine, ThePipelineOfBenchIsTheCommand) {
  const std::string job = " --bodies 64 --galaxies 2 --steps 2 --json -";
  const auto old = orrery("bench --engine cuda --pipeline serial,streams" + job);
  const auto renewed = orrery("pipeline serial,streams --engine cuda" + job);
  const std::string hint = "orrery bench --pipeline serial,streams is now: orrery pipeline serial,streams\n";
  ASSERT_EQ(old.status, renewed.status) << old.errors << renewed.errors;
  EXPECT_EQ(old.errors, renewed.errors + (old.status == 0 ? hint : ""));
  EXPECT_EQ(old.output.empty(), renewed.output.empty());
  if (old.status != 0) GTEST_SKIP() << "needs an NVIDIA GPU: " << old.errors;
  EXPECT_EQ(nlohmann::json::parse(old.output).at("runs").size(), 2U);
  EXPECT_EQ(nlohmann::json::parse(renewed.output).at("runs").size(), 2U);
}

TEST_F(CommandLine, MistakesInOldSpellingsNameTheNewOnes) {
  const auto errors = [this](const std::string& arguments) { return orrery(arguments).errors; };
  EXPECT_EQ(
      errors("bench --sweep threads --kernels all"),
      "orrery: `orrery sweep` has no option '--kernels' (orrery bench --sweep threads is now: orrery sweep "
      "threads); did you mean '--kernel'?\n");
  EXPECT_EQ(errors("bench --ladder"),
            "orrery: --ladder: 1 required NAME|all missing; orrery bench --ladder NAME|all is now: orrery "
            "ladder NAME|all\n");
  // What is no flag of `bench` is a name like others.
  EXPECT_NE(errors("bench -- --ladder").find("no file '--ladder'"), std::string::npos);
  EXPECT_NE(errors("render --ladder best").find("not expected: --ladder"), std::string::npos);
}

TEST_F(CommandLine, EveryCommandTakesOnlyWhatItNeeds) {
  const auto help = [this](const std::string& command) { return orrery(command + " --help").output; };
  const auto has = [](const std::string& text, const std::string& flag) {
    return text.find("  " + flag + " ") != std::string::npos;
  };
  for (const char* flag : {"--ladder", "--ladders", "--sweep", "--pipeline", "--timeline"})
    EXPECT_FALSE(has(help("bench"), flag)) << flag;
  for (const char* flag : {"--kernels", "--kernel", "--engine", "--tuned", "--timeline"})
    EXPECT_FALSE(has(help("ladder"), flag)) << flag;
  for (const char* flag : {"--kernels", "--figure", "--ladders", "--timeline"})
    EXPECT_FALSE(has(help("sweep"), flag)) << flag;
  for (const char* flag : {"--kernels", "--figure", "--csv", "--tuned"})
    EXPECT_FALSE(has(help("pipeline"), flag)) << flag;
  for (const char* command : {"bench", "ladder", "sweep", "pipeline"})
    EXPECT_TRUE(has(help(command), "--json"));
}

TEST_F(CommandLine, AFolderOfLaddersNeedsALadder) {
  // `bench` has none: they are for `ladder`, and in the old spelling for --ladder.
  for (const char* command : {"bench --ladders .", "verify --ladders ."}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_NE(outcome.errors.find("--ladder"), std::string::npos);
  }
}

}  // namespace
