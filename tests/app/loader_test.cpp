#include "app/session/loader.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <thread>

namespace orrery::app {
namespace {

using namespace std::chrono_literals;

/// The loader's dataset in the end, or nothing with the problem.
std::optional<LoadedDataset> result_of(Loader& loader, std::string& problem) {
  const auto limit = std::chrono::steady_clock::now() + 2min;
  std::optional<LoadedDataset> loaded;
  while (!(loaded = loader.take(problem)) && problem.empty()) {
    if (std::chrono::steady_clock::now() > limit) {
      ADD_FAILURE() << "the loader never ends";
      break;
    }
    std::this_thread::sleep_for(1ms);
  }
  return loaded;
}

TEST(Loader, CancellingDoesNotWait) {
  Loader loader;
  std::string problem;
  const auto start = std::chrono::steady_clock::now();
  loader.open({.source = "plummer", .bodies = 15'000});
  ASSERT_TRUE(result_of(loader, problem).has_value()) << problem;
  const auto loaded = std::chrono::steady_clock::now();
  loader.open({.source = "plummer", .bodies = 15'000});
  const auto opened = std::chrono::steady_clock::now();
  loader.cancel();
  // Both times grow with the work that the machine has besides.
  EXPECT_LT(std::chrono::steady_clock::now() - opened, (loaded - start) / 2);
}

TEST(Loader, LoadsReportsAndCancels) {
  Loader loader;
  std::string problem;
  loader.open({.source = "plummer", .bodies = 100});
  const auto loaded = result_of(loader, problem);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->summary.bodies, 100U);
  EXPECT_FALSE(loader.busy());
  loader.open({.source = "nonsense"});
  EXPECT_FALSE(result_of(loader, problem).has_value());
  EXPECT_NE(problem.find("nonsense"), std::string::npos);
  loader.open({.source = "plummer", .bodies = 200'000});
  loader.cancel();
  EXPECT_FALSE(loader.busy());
}

}  // namespace
}  // namespace orrery::app
