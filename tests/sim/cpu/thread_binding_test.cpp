#include "sim/cpu/thread_binding.h"

#include <gtest/gtest.h>
#include <omp.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include "tests/eventually.h"
#include "tests/sim/engines/engine_cases.h"

namespace orrery::sim {
namespace {

cpu_set_t own_mask() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  EXPECT_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
  return mask;
}

/// The only hardware thread that each thread of a team may use; -1: several.
std::vector<int> where_threads_run(int threads) {
  std::vector<int> where(static_cast<std::size_t>(threads), -2);
#pragma omp parallel num_threads(threads)
  {
    const auto mask = own_mask();
    int only = -1;
    for (int number = 0; number < CPU_SETSIZE && CPU_COUNT(&mask) == 1; ++number) {
      if (CPU_ISSET(number, &mask)) only = number;
    }
    where[static_cast<std::size_t>(omp_get_thread_num())] = only;
  }
  return where;
}

/// Two nodes of two cores, two hardware threads each, numbered as Linux does it.
std::vector<Processor> invented() {
  return {{0, 0, 0, 0}, {1, 0, 1, 0}, {2, 1, 2, 0}, {3, 1, 3, 0},
          {4, 0, 0, 1}, {5, 0, 1, 1}, {6, 1, 2, 1}, {7, 1, 3, 1}};
}

TEST(ThreadBinding, CoresAreFilledBeforeTheirSecondThreads) {
  EXPECT_EQ(binding_order(Binding::cores, invented()), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(ThreadBinding, SpreadTakesTheNodesInTurn) {
  EXPECT_EQ(binding_order(Binding::spread, invented()), (std::vector{0, 2, 1, 3, 4, 6, 5, 7}));
  EXPECT_TRUE(binding_order(Binding::none, invented()).empty());
}

TEST(ThreadBinding, ThisMachinesProcessorsAreThoseOfTheMask) {
  const auto mask = own_mask();
  EXPECT_EQ(static_cast<int>(processors().size()), CPU_COUNT(&mask));
  for (const auto& each : processors()) EXPECT_TRUE(CPU_ISSET(each.number, &mask));
}

TEST(ThreadBinding, EveryThreadOfTheTeamHasItsProcessorWhileTheScopeLives) {
  const auto order = binding_order(Binding::cores, processors());
  if (order.size() < 2) GTEST_SKIP() << "one hardware thread";
  const auto before = own_mask();
  {
    const BindingScope scope(Binding::cores, 3);
    EXPECT_EQ(where_threads_run(3), (std::vector{order[0], order[1], order[2 % order.size()]}));
  }
  const auto after = own_mask();
  EXPECT_TRUE(CPU_EQUAL(&before, &after)) << "the calling thread is free again";
  const BindingScope free(Binding::none, 3);
  EXPECT_EQ(where_threads_run(3), (std::vector{-1, -1, -1})) << "the workers are free again";
}

TEST(ThreadBinding, OtherThreadsAreNotTouched) {
  std::atomic<int> stage{0};
  int allowed = 0;
  std::jthread drawing([&] {
    EXPECT_TRUE(test::eventually([&] { return stage == 1; }));
    const auto mask = own_mask();
    allowed = CPU_COUNT(&mask);
    stage = 2;
  });
  const auto before = own_mask();
  const BindingScope scope(Binding::cores, 2);
  stage = 1;
  ASSERT_TRUE(test::eventually([&] { return stage == 2; }));
  EXPECT_EQ(allowed, CPU_COUNT(&before));
}

TEST(ThreadBinding, TheEngineBindsAndTheResultIsTheSame) {
  const auto bodies = checks::ragged_bodies(500);
  const auto settings = [](const char* binding) {
    return checks::configuration_of({.name = "", .assignments = {"engine=cpu", "threads=2"}},
                                    {std::string("binding=") + binding});
  };
  const auto free = checks::after(*checks::loaded(settings("none"), bodies), bodies, 3);
  const auto before = own_mask();
  for (const char* binding : {"cores", "spread", "none"}) {
    const auto bound = checks::after(*checks::loaded(settings(binding), bodies), bodies, 3);
    EXPECT_TRUE(checks::same_bits(bound.position, free.position)) << binding;
    const auto after = own_mask();
    EXPECT_TRUE(CPU_EQUAL(&before, &after)) << binding;
    if (processors().size() < 2) continue;
    EXPECT_EQ(where_threads_run(2)[1] >= 0, std::string(binding) != "none") << binding;
  }
}

}  // namespace
}  // namespace orrery::sim
