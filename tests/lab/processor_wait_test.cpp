#include "lab/setup/load_watch.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_folder.h"

namespace orrery::lab {
namespace {

using namespace std::chrono_literals;

/// Nanoseconds that a thread ran and waited, as Linux writes them.
void write_thread(const test::TemporaryFolder& folder, const char* thread, double running, double waiting) {
  std::filesystem::create_directories(folder / thread);
  std::ofstream(folder / thread / "schedstat") << std::fixed << running << ' ' << waiting << " 7\n";
}

TEST(ProcessorWait, IsTheShareOfTheLastSecond) {
  const test::TemporaryFolder folder;
  ProcessorWait wait(folder.path());
  const auto start = ProcessorWait::Clock::now();
  write_thread(folder, "1", 5e9, 4e9);
  write_thread(folder, "2", 1e9, 0.0);
  wait.update(start);
  EXPECT_FALSE(wait.share()) << "one look says nothing";
  write_thread(folder, "1", 5.5e9, 4.5e9);
  write_thread(folder, "2", 2e9, 0.0);
  wait.update(start + 500ms);
  EXPECT_FALSE(wait.share()) << "too early";
  wait.update(start + 1s);
  ASSERT_TRUE(wait.share());
  EXPECT_NEAR(*wait.share(), 0.25, 1e-9);
}

TEST(ProcessorWait, IsNotKnownWhereTheSystemDoesNotTell) {
  const test::TemporaryFolder folder;
  ProcessorWait wait(folder / "none");
  const auto start = ProcessorWait::Clock::now();
  for (int k = 0; k < 3; ++k) wait.update(start + k * 2s);
  EXPECT_FALSE(wait.share());
}

TEST(ProcessorWait, AThreadThatEndsIsNoNegativeWork) {
  const test::TemporaryFolder folder;
  ProcessorWait wait(folder.path());
  const auto start = ProcessorWait::Clock::now();
  write_thread(folder, "1", 5e9, 4e9);
  write_thread(folder, "2", 1e9, 1e9);
  wait.update(start);
  std::filesystem::remove_all(folder / "1");
  write_thread(folder, "2", 2e9, 2e9);
  wait.update(start + 1s);
  EXPECT_FALSE(wait.share());
}

}  // namespace
}  // namespace orrery::lab
