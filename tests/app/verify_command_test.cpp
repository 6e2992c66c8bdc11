#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "command_line_testing.h"

// `orrery verify`, with right kernels and with wrong ones.
namespace {

using orrery::test::CommandLine;

TEST_F(CommandLine, VerifyPassesWithRightKernels) {
  const auto outcome = orrery("verify --bodies 200 --steps 10");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel=pair-symmetric threads=3"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find(" 0 failed"), std::string::npos) << outcome.output;
}

TEST_F(CommandLine, VerifyOfOneEngineLeavesTheOthersOut) {
  const auto outcome = orrery("verify --engine cpu --bodies 100 --steps 5");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  EXPECT_NE(outcome.output.find("kernel=sequential"), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("cuda"), std::string::npos) << outcome.output;
  const auto cuda = orrery("verify --engine cuda --bodies 100 --steps 5");
  EXPECT_TRUE(cuda.status == 0 || cuda.status == 2) << cuda.errors;
  EXPECT_EQ(cuda.output.find("kernel=sequential"), std::string::npos) << cuda.output;
}

TEST_F(CommandLine, VerifyOfAllLaddersGivesCleanJson) {
  const auto outcome = orrery("verify --ladder all --bodies 300 --galaxies 2 --json -");
  EXPECT_EQ(outcome.status, 0) << outcome.output << outcome.errors;
  const auto json = nlohmann::json::parse(outcome.output);
  EXPECT_EQ(json.at("failed"), 0);
  EXPECT_GT(json.at("passed").get<int>(), 5);
  for (const auto& row : json.at("rows")) {
    EXPECT_EQ(row.at("status") == "skipped", !row.at("reason").get<std::string>().empty()) << row;
    if (row.at("status") == "skipped") continue;
    // The sum of the squares, of all bodies, is no less than the largest one and no more than that of all.
    const auto largest = row.at("checks").at("position_difference").at("value").get<double>();
    const auto sum = row.at("squared_distance").get<double>();
    EXPECT_GE(sum, 0.999 * largest * largest) << row;
    EXPECT_LE(sum, 3.001 * row.at("bodies").get<double>() * largest * largest) << row;
  }
}

TEST_F(CommandLine, VerifyFailsWithWrongKernels) {
  const auto outcome = orrery_with_wrong_kernels("verify --bodies 400 --steps 5 --json v.json");
  EXPECT_EQ(outcome.status, 1) << outcome.output;
  EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
  std::set<std::string> failed, all;
  const auto json = nlohmann::json::parse(text_of(path("v.json")));
  for (const auto& row : json.at("rows")) {
    if (row.at("status") == "skipped") continue;
    const auto name = row.at("name").get<std::string>();
    const auto kernel = name.substr(0, name.find(' '));
    all.insert(kernel);
    if (row.at("status") == "failed") failed.insert(kernel);
  }
  EXPECT_EQ(failed.size(), 20U)
      << "the wrong kernels, those of the tree too: verify has scenes of many bodies";
  for (const char* right : {"kernel=sequential", "kernel=omp-bodies", "kernel=simd", "kernel=tree"}) {
    EXPECT_TRUE(all.contains(right)) << right;
    EXPECT_FALSE(failed.contains(right)) << right;
  }
}

TEST_F(CommandLine, VerifyRefusesWhatDoesNotGoTogether) {
  for (const char* command :
       {"verify --quick", "verify --ladders .", "verify --physics plummer", "verify --bodies 20"}) {
    const auto outcome = orrery(command);
    EXPECT_EQ(outcome.status, 2) << command;
    EXPECT_EQ(lines(outcome.errors), 1) << command << ": " << outcome.errors;
  }
}

std::vector<std::string> names_of(const std::string& report) {
  std::vector<std::string> names;
  const auto json = nlohmann::json::parse(report);
  for (const auto& row : json.at(json.contains("rows") ? "rows" : "checks"))
    names.push_back(row.value("ladder", "") + ' ' + row.at("name").get<std::string>());
  return names;
}

TEST_F(CommandLine, VerifyInPartsMakesEveryCheckOnce) {
  for (const std::string what :
       {"plummer --engine cpu --bodies 50 --steps 1", "--ladder precision --bodies 60 --galaxies 2 --steps 1",
        "--physics --quick"}) {
    auto all = names_of(orrery("verify --json - " + what).output);
    std::vector<std::string> parts;
    for (const char* part : {" --part 1/3", " --part 2/3", " --part 3/3"}) {
      const auto names = names_of(orrery("verify --json - " + what + part).output);
      EXPECT_LT(names.size(), all.size()) << what << part;
      EXPECT_GT(3 * names.size() + 20, all.size()) << what << part;
      parts.insert(parts.end(), names.begin(), names.end());
    }
    std::ranges::sort(all);
    std::ranges::sort(parts);
    EXPECT_EQ(parts, all) << what;
  }
}

TEST_F(CommandLine, VerifyRefusesWhatIsNoPart) {
  for (const char* arguments : {"--part 0/3", "--part 4/3", "--part 2", "--part 1/", "--part /2",
                                "--part 1/2/3", "--part one/two", "--part -1/3"}) {
    const auto outcome = orrery("verify " + std::string(arguments));
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(lines(outcome.errors), 1) << outcome.errors;
    EXPECT_NE(outcome.errors.find("--part"), std::string::npos) << outcome.errors;
  }
}

}  // namespace
