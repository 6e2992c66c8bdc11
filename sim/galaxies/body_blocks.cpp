#include "sim/galaxies/body_blocks.h"

#include <cstdint>
#include <limits>

namespace orrery::sim {

namespace {

constexpr std::size_t sort_block = 65'536;

std::vector<std::uint64_t> seeds_of(std::size_t blocks, Random& random) {
  std::vector<std::uint64_t> seeds(blocks);
  for (std::size_t block = 1; block < blocks; ++block)
    seeds[block] = random.below(std::numeric_limits<std::uint64_t>::max());
  return seeds;
}

void draw_range(std::size_t first, std::size_t last, Random& random, SharedTicker& ticker,
                const DrawOne& draw) {
  for (std::size_t k = first; k < last; k += Ticker::interval) {
    const std::size_t until = std::min(last, k + Ticker::interval);
    for (std::size_t i = k; i < until; ++i) draw(i, random);
    ticker.add(until - k);
  }
}

}  // namespace

void draw_in_blocks(std::size_t count, Random& random, SharedTicker& ticker, const DrawOne& draw) {
  const std::size_t blocks = (count + stream_block - 1) / stream_block;
  const std::vector<std::uint64_t> seeds = seeds_of(blocks, random);
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < blocks; ++block) {
    try {
      const std::size_t first = block * stream_block, last = std::min(count, first + stream_block);
      Random own(seeds[block]);
      draw_range(first, last, block == 0 ? random : own, ticker, draw);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

// Blocks by themselves, then pairs of neighbours, pairs of pairs, ...
void sort_in_blocks(std::vector<double>& values) {
  const std::size_t count = values.size();
  const auto at = [&](std::size_t k) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(k, count));
  };
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < count; first += sort_block)
    std::sort(at(first), at(first + sort_block));
  for (std::size_t sorted = sort_block; sorted < count; sorted *= 2) {
#pragma omp parallel for schedule(dynamic)
    for (std::size_t first = 0; first < count; first += 2 * sorted)
      std::inplace_merge(at(first), at(first + sorted), at(first + 2 * sorted));
  }
}

}  // namespace orrery::sim
