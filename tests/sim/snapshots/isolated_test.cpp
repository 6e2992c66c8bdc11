#include "sim/snapshots/isolated.h"

#include "sim/core/error.h"
#include "tests/sim/snapshots/snapshot_testing.h"

namespace orrery::sim {
namespace {

IsolatedResult isolated(const std::function<std::string(const std::function<void(float)>&)>& work,
                        Progress* progress = nullptr) {
  return run_isolated(work, {.memory = std::size_t{256} << 20, .seconds = 1}, progress);
}

TEST(Isolated, TextAndBodiesComeBack) {
  SharedBodies shared;
  Progress progress;
  const auto result = isolated(
      [&](const auto& tell) {
        shared.resize(3);
        shared.mass()[2] = 7.0F;
        shared.position()[1] = {1, 2, 3};
        shared.id()[0] = 9;
        tell(0.5F);
        return std::string("done\nwell");
      },
      &progress);
  EXPECT_EQ(result.end, IsolatedResult::End::done);
  EXPECT_EQ(result.text, "done\nwell");
  EXPECT_EQ(progress.fraction.load(), 0.5F);
  Bodies bodies;
  EXPECT_THROW(SharedBodies().take(3, bodies), Error);
  shared.take(3, bodies);
  EXPECT_EQ(bodies.mass[2], 7.0F);
  EXPECT_EQ(bodies.position[1], (Vec3{1, 2, 3}));
  EXPECT_EQ(bodies.id[0], 9U);
}

TEST(Isolated, EveryBadEndIsTold) {
  using enum IsolatedResult::End;
  const auto told = isolated([](const auto&) -> std::string { throw Error("no, because"); });
  EXPECT_EQ(told.end, refused);
  EXPECT_EQ(told.text, "no, because");
  EXPECT_EQ(isolated([](const auto&) -> std::string { std::abort(); }).end, crashed);
  EXPECT_EQ(isolated([](const auto&) -> std::string { std::_Exit(0); }).end, crashed);
  EXPECT_EQ(isolated([](const auto&) -> std::string { throw std::bad_alloc(); }).end, no_memory);
  volatile bool forever = true;
  EXPECT_EQ(isolated([&](const auto&) -> std::string {
              while (forever) {
              }
              return {};
            }).end,
            too_long);
}

TEST(Isolated, CancelEndsIt) {
  Progress progress;
  progress.cancel = true;
  volatile bool forever = true;
  EXPECT_THROW(isolated(
                   [&](const auto&) -> std::string {
                     while (forever) {
                     }
                     return {};
                   },
                   &progress),
               Cancelled);
}

}  // namespace
}  // namespace orrery::sim
