#include "sim/core/time_account.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace orrery::sim {
namespace {

using Clock = std::chrono::steady_clock;

/// Returns when the clock has moved on by at least this time.
void wait(std::chrono::milliseconds time) {
  for (const auto end = Clock::now() + time; Clock::now() < end;) continue;
}

TEST(TimeAccount, CountsForTheInnermostPhaseAndAddsUpToTheWhole) {
  const auto start = Clock::now();
  TimeAccount account;
  {
    const TimedPhase outer("outer");
    wait(std::chrono::milliseconds(2));
    {
      const TimedPhase inner("inner");
      wait(std::chrono::milliseconds(3));
    }
    const TimedPhase inner("inner");
    wait(std::chrono::milliseconds(3));
  }
  wait(std::chrono::milliseconds(1));
  const auto entries = account.entries();
  const std::chrono::duration<double> whole = Clock::now() - start;
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].phase, "outer");
  EXPECT_EQ(entries[1].phase, "inner");
  EXPECT_EQ(entries[2].phase, "other");
  EXPECT_GE(entries[0].seconds, 2e-3);
  EXPECT_GE(entries[1].seconds, 6e-3);
  EXPECT_GE(entries[2].seconds, 1e-3);
  EXPECT_LE(entries[0].seconds + entries[1].seconds + entries[2].seconds, whole.count());
  EXPECT_GT(entries[1].processor_seconds, 0.0) << "this thread was busy";
}

TEST(TimeAccount, OtherThreadsHaveNone) {
  TimeAccount account;
  std::thread([] { const TimedPhase phase("elsewhere"); }).join();
  EXPECT_EQ(account.entries().size(), 1U);
}

TEST(TimeAccount, PhasesDoNothingWithoutAnAccount) {
  { const TimedPhase nobody("before"); }
  TimeAccount account;
  EXPECT_EQ(account.entries().size(), 1U);
}

TEST(TimeAccount, TheTableHasALineForEachPhaseAndTheSum) {
  EXPECT_EQ(times_table({{"load", 1.5, 3.0}, {"other", 0.5, 0.5}}),
            "  seconds  cores  phase\n"
            "    1.500    2.0  load\n"
            "    0.500    1.0  other\n"
            "    2.000    1.8  in all\n");
}

}  // namespace
}  // namespace orrery::sim
