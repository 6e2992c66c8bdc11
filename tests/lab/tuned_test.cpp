#include "lab/bench/tuned.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/picture/display_options.h"
#include "sim/core/error.h"
#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

namespace fs = std::filesystem;

/// With a configuration folder of its own.
class TunedTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* old = std::getenv("XDG_CONFIG_HOME")) old_ = old;
    setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
    configuration = table.defaults();
    configuration.set("engine", std::string("cpu"));
  }
  void TearDown() override {
    old_.empty() ? unsetenv("XDG_CONFIG_HOME") : setenv("XDG_CONFIG_HOME", old_.c_str(), 1);
  }

  fs::path file() const { return folder_ / "orrery" / "tuned.json"; }
  TunedResult result(const std::string& kernel = "pair-symmetric") const {
    return {.key = tuned_key(configuration, context),
            .settings = {{"kernel", kernel}, {"threads", "2"}},
            .gips = 3.0,
            .default_gips = 2.0};
  }
  std::string apply(const std::vector<TunedResult>& results,
                    const std::vector<std::string>& assignments = {}) {
    return apply_tuned(table, configuration, results, context, assignments);
  }
  static std::vector<TunedResult> read() {
    std::string problem;
    auto results = read_tuned(problem);
    EXPECT_EQ(problem, "");
    return results;
  }

  sim::OptionTable table = app::all_options();
  sim::Configuration configuration;
  sim::OptionContext context{.bodies = 3000, .galaxies = 1};

 private:
  const test::TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
  std::string old_;
};

TEST_F(TunedTest, AFolderInPlaceOfTheFileIsSaidAndLeftAlone) {
  fs::create_directories(file());
  std::string problem;
  EXPECT_TRUE(read_tuned(problem).empty());
  EXPECT_NE(problem.find("it is a folder"), std::string::npos) << problem;
  EXPECT_EQ(problem.find('\n'), std::string::npos) << problem;
  EXPECT_THROW(remember_tuned(result()), sim::Error);
}

TEST_F(TunedTest, ProgramsAtTheSameTimeLoseNothing) {
  constexpr int programs = 6, each = 8;
  for (int p = 0; p < programs; ++p) {
    if (fork() != 0) continue;
    auto mine = result();
    for (int k = 0; k < each; ++k) {
      mine.key.bodies = static_cast<std::uint64_t>(1 + p * each + k);
      remember_tuned(mine);
    }
    _exit(0);
  }
  int status = 0;
  while (wait(&status) > 0) EXPECT_EQ(status, 0);
  EXPECT_EQ(read().size(), static_cast<std::size_t>(programs * each));
}

TEST_F(TunedTest, ThatNothingCanBeKeptIsKnownBeforeTheSearch) {
  EXPECT_NO_THROW(require_place_for_tuned());
  EXPECT_FALSE(fs::exists(file()));
  fs::create_directories(file());
  EXPECT_THROW(require_place_for_tuned(), sim::Error);
}

TEST_F(TunedTest, TheKeyRoundsBodiesOfAGalaxy) {
  const auto bodies = [&](std::size_t count, std::size_t galaxies) {
    return tuned_key(configuration, {.bodies = count, .galaxies = galaxies}).bodies;
  };
  EXPECT_EQ(bodies(4096, 1), 4096U);
  EXPECT_EQ(bodies(5792, 1), 4096U);  // below 4096 sqrt(2)
  EXPECT_EQ(bodies(5793, 1), 8192U);
  EXPECT_EQ(bodies(32 * 8192, 32), 8192U);
  EXPECT_EQ(bodies(1, 1), 1U);
  EXPECT_EQ(tuned_key(configuration, {.bodies = 64, .galaxies = 4}).galaxies, 4U);
}

TEST_F(TunedTest, WhatIsRememberedComesBackAndReplacesTheOld) {
  EXPECT_TRUE(read().empty());
  remember_tuned(result("sequential"));
  auto other = result();
  other.key.bodies = 1 << 20;
  remember_tuned(other);
  remember_tuned(result());
  const auto results = read();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[1].key, result().key);
  EXPECT_EQ(results[1].settings, result().settings);
  EXPECT_DOUBLE_EQ(results[1].gips, 3.0);
}

TEST_F(TunedTest, DamageIsSaidAndIgnored) {
  remember_tuned(result());
  for (const char* damage : {"", "{", "[1]", R"({"results": 3})", R"({"results": [{"device": 5}]})"}) {
    std::ofstream(file()) << damage;
    std::string problem;
    EXPECT_TRUE(read_tuned(problem).empty()) << damage;
    EXPECT_NE(problem.find("tuned.json"), std::string::npos) << damage;
  }
  // And the next result makes it whole again.
  remember_tuned(result());
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(TunedTest, AnUnwritableFolderIsAnError) {
  std::ofstream(file().parent_path()) << "a file where the folder should be";
  EXPECT_THROW(remember_tuned(result()), sim::Error);
}

TEST_F(TunedTest, ItIsAppliedWhereItFits) {
  const auto line = apply({result()});
  EXPECT_NE(line.find("1.50 times"), std::string::npos) << line;
  EXPECT_LT(line.size(), 120U) << "a short line: each start prints it";
  EXPECT_EQ(configuration.choice("kernel"), "pair-symmetric");
  EXPECT_EQ(configuration.integer("threads"), 2);
}

TEST_F(TunedTest, ForAnotherSizeNothingIsSet) {
  const auto results = std::vector{result()};
  context.bodies = 30000;
  EXPECT_EQ(apply(results), "");
  EXPECT_EQ(configuration.choice("kernel"), "simd");
  EXPECT_EQ(apply({}), "");
}

TEST_F(TunedTest, ExplicitAssignmentsWin) {
  apply({result()}, {"threads=1"});
  EXPECT_EQ(configuration.choice("kernel"), "pair-symmetric");
  EXPECT_EQ(configuration.value("threads"), table.defaults().value("threads"));
}

TEST_F(TunedTest, AnotherKernelAskedForLeavesItAllOut) {
  const auto before = configuration;
  EXPECT_EQ(apply({result()}, {"kernel=sequential"}), "");
  EXPECT_EQ(configuration, before);
  EXPECT_NE(apply({result()}, {"kernel=sequential", "kernel=pair-symmetric"}), "") << "the last one counts";
}

TEST_F(TunedTest, WhatIsRefusedTodayIsNotUsed) {
  const auto before = configuration;
  auto unknown = result();
  unknown.settings.emplace_back("no-such-option", "1");
  EXPECT_NE(apply({unknown}).find("not used"), std::string::npos);
  EXPECT_EQ(configuration, before);
  // Buffers of more than half of a small machine's memory.
  context.host_memory = 1000;
  EXPECT_NE(apply({result()}).find("not used"), std::string::npos);
  EXPECT_EQ(configuration, before);
}

}  // namespace
}  // namespace orrery::lab
