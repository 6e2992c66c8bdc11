#include "app/session/loader.h"
#include "app/session/shared_names.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>

#include "app/picture/display_options.h"
#include "tests/eventually.h"
#include "tests/temporary_folder.h"

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

TEST(Loader, ReadsStatesThatNameTheirDataset) {
  const test::TemporaryFolder folder;
  ViewState state{
      .dataset = {.source = "plummer", .bodies = 100}, .step = 7, .configuration = all_options().defaults()};
  const auto file = folder / "state.json";
  std::ofstream(file) << state_text(state, file);
  std::ofstream(folder / "broken.json") << "{";
  Loader loader;
  std::string problem;
  loader.open_state(file, {});
  const auto loaded = result_of(loader, problem);
  ASSERT_TRUE(loaded.has_value()) << problem;
  EXPECT_EQ(loaded->summary.bodies, 100U);
  ASSERT_TRUE(loaded->state.has_value());
  EXPECT_EQ(loaded->state->step, 7U);
  // Nothing is read, and so nothing is thrown, on the thread of the one who asks.
  loader.open_state(folder / "broken.json", {});
  EXPECT_FALSE(result_of(loader, problem).has_value());
  EXPECT_NE(problem.find("broken.json"), std::string::npos) << problem;
}

TEST(Loader, ManyUnknownOptionsAreAFewNotes) {
  auto entry = to_json(ViewState{.configuration = all_options().defaults()});
  for (int k = 0; k < 1000; ++k) entry["options"]["unknown-" + std::to_string(k)] = 1;
  const auto notes = view_state_from_json(all_options(), entry).notes;
  EXPECT_EQ(notes.size(), 21U);
  EXPECT_NE(notes.back().find("980 more"), std::string::npos) << notes.back();
}

}  // namespace
}  // namespace orrery::app
