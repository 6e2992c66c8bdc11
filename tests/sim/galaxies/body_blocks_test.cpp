#include "sim/galaxies/draw_bodies.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/galaxies/model.h"

namespace orrery::sim {
namespace {

/// Sets the number of threads for a while.
class Threads {
 public:
  explicit Threads(int count) : before_(omp_get_max_threads()) { omp_set_num_threads(count); }
  ~Threads() { omp_set_num_threads(before_); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

std::vector<double> drawn(std::size_t count) {
  Random random(7);
  const Ticker nobody(nullptr, count);
  SharedTicker ticker(nobody);
  std::vector<double> numbers(count);
  draw_in_blocks(count, random, ticker, [&](std::size_t k, Random& own) { numbers[k] = own.uniform(); });
  return numbers;
}

TEST(DrawInBlocks, ShortListsHaveTheNumbersOfAPlainLoop) {
  Random random(7);
  for (const double each : drawn(stream_block)) ASSERT_EQ(each, random.uniform());
}

TEST(DrawInBlocks, BlocksHaveNumbersOfTheirOwn) {
  auto numbers = drawn(4 * stream_block + 5);
  const double mean =
      std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
  EXPECT_NEAR(mean, 0.5, 0.006);
  std::ranges::sort(numbers);
  EXPECT_EQ(std::ranges::adjacent_find(numbers), numbers.end()) << "no number comes twice";
}

TEST(DrawInBlocks, TellsHowFarItIsAndStops) {
  constexpr std::size_t count = 3 * stream_block;
  Progress progress;
  const Ticker watched(&progress, count);
  SharedTicker ticker(watched);
  Random random(1);
  draw_in_blocks(count, random, ticker, [](std::size_t, Random&) {});
  EXPECT_NEAR(progress.fraction, 1.0F, 1e-6F);
  progress.cancel = true;
  EXPECT_THROW(draw_in_blocks(count, random, ticker, [](std::size_t, Random&) {}), Cancelled);
}

TEST(DrawInBlocks, PassesOnWhatIsThrown) {
  Random random(1);
  const Ticker nobody(nullptr, 0);
  SharedTicker ticker(nobody);
  const auto fail = [](std::size_t k, Random&) {
    if (k == stream_block) throw std::runtime_error("no");
  };
  EXPECT_THROW(draw_in_blocks(2 * stream_block, random, ticker, fail), std::runtime_error);
}

TEST(SortInBlocks, SortsAnyNumber) {
  for (const std::size_t count : {0U, 1U, 65'536U, 65'537U, 400'001U}) {
    auto expected = drawn(count);
    LargeArray<double> numbers(expected.begin(), expected.end());
    const Threads four(4);
    sort_in_blocks(numbers);
    std::ranges::sort(expected);
    EXPECT_TRUE(std::ranges::equal(numbers, expected)) << count;
  }
}

class ManyBodies : public testing::TestWithParam<const char*> {};

// Several blocks of each component, the last ones ragged.
TEST_P(ManyBodies, HaveTheSameBitsForAnyNumberOfThreads) {
  const auto make = [](int threads) {
    const Threads some(threads);
    return make_galaxy(GetParam(), {140'001, 3}).bodies;
  };
  const Bodies alone = make(1), together = make(5);
  EXPECT_TRUE(alone.position == together.position && alone.velocity == together.velocity &&
              alone.mass == together.mass && alone.component == together.component);
}

TEST_P(ManyBodies, AreToldToStop) {
  Progress progress;
  progress.cancel = true;
  EXPECT_THROW(make_galaxy(GetParam(), {50'000, 1, &progress}), Cancelled);
}

INSTANTIATE_TEST_SUITE_P(Models, ManyBodies, testing::Values("spiral", "plummer", "collision"),
                         [](const auto& each) {
                           std::string name = each.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace orrery::sim
