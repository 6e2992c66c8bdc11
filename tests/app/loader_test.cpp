#include "app/session/loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "tests/eventually.h"

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
  struct Gate {
    std::atomic<bool> entered{false}, opens{false}, passed{false};
  };
  // The thread that loads may outlive the test.
  const auto gate = std::make_shared<Gate>();
  Loader loader;
  loader.complete_with([gate](lab::DatasetRequest&) {
    gate->entered = true;
    test::eventually([&] { return gate->opens.load(); });
    gate->passed = true;
  });
  loader.open({.source = "plummer", .bodies = 100}, {});
  ASSERT_TRUE(test::eventually([&] { return gate->entered.load(); }));
  loader.cancel();
  EXPECT_FALSE(gate->passed) << "it went on while the file was still being read";
  EXPECT_FALSE(loader.busy());
  gate->opens = true;
}

TEST(Loader, LoadsReportsAndCancels) {
  Loader loader;
  std::string problem;
  loader.open({.source = "plummer", .bodies = 100}, {});
  const auto loaded = result_of(loader, problem);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->summary.bodies, 100U);
  EXPECT_FALSE(loader.busy());
  loader.open({.source = "nonsense"}, {});
  EXPECT_FALSE(result_of(loader, problem).has_value());
  EXPECT_NE(problem.find("nonsense"), std::string::npos);
  loader.open({.source = "plummer", .bodies = 200'000}, {});
  loader.cancel();
  EXPECT_FALSE(loader.busy());
}

}  // namespace
}  // namespace orrery::app
