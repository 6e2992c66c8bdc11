#include "sim/galaxies/draw_bodies.h"

#include <limits>
#include <span>

namespace orrery::sim {

namespace {

constexpr std::size_t sort_block = 65'536;
using Values = std::span<const double>;

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

// How many of the first `count` values of both sorted ranges together are in the first range.
std::size_t share_of_first(Values first, Values second, std::size_t count) {
  std::size_t low = count > second.size() ? count - second.size() : 0, high = std::min(count, first.size());
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (first[middle] < second[count - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Values `begin` to `end` of both sorted ranges merged.
void merge_part(Values first, Values second, std::size_t begin, std::size_t end, double* to) {
  const std::size_t begin_first = share_of_first(first, second, begin);
  const std::size_t end_first = share_of_first(first, second, end);
  std::ranges::merge(first.subspan(begin_first, end_first - begin_first),
                     second.subspan(begin - begin_first, end - end_first - (begin - begin_first)), to);
}

// Merges neighbouring ranges of `sorted` values, a multiple of the block's size: all threads have parts of
// the last, longest ranges too.
void merge_neighbours(Values values, std::size_t sorted, LargeArray<double>& merged) {
  const std::size_t count = values.size();
#pragma omp parallel for schedule(dynamic)
  for (std::size_t begin = 0; begin < count; begin += sort_block) {
    const std::size_t pair = begin / (2 * sorted) * (2 * sorted);
    const auto first = values.subspan(pair, std::min(sorted, count - pair));
    const auto second = values.subspan(pair + first.size(), std::min(sorted, count - pair - first.size()));
    merge_part(first, second, begin - pair, std::min(count, begin + sort_block) - pair,
               merged.data() + begin);
  }
}

constexpr std::size_t block_size = Ticker::interval;

// Neighbouring seeds and blocks become unrelated ones (SplitMix64; Steele, Lea & Flood 2014).
std::uint64_t mixed_seed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

void draw_block(Bodies& bodies, std::size_t block, std::uint64_t seed, const DrawBody& draw) {
  Random random(mixed_seed(mixed_seed(seed) + block));
  const std::size_t last = std::min(bodies.size(), (block + 1) * block_size);
  for (std::size_t k = block * block_size; k < last; ++k) {
    const DrawnBody body = draw(k, random);
    bodies.position[k] = Vec3(body.position);
    bodies.velocity[k] = Vec3(body.velocity);
  }
}

}  // namespace

void draw_in_blocks(std::size_t count, Random& random, SharedTicker& ticker, const DrawOne& draw) {
  const std::size_t blocks = (count + stream_block - 1) / stream_block;
  const std::vector<std::uint64_t> seeds = seeds_of(blocks, random);
  on_all_cores(blocks, [&](std::size_t block) {
    const std::size_t first = block * stream_block, last = std::min(count, first + stream_block);
    Random own(seeds[block]);
    draw_range(first, last, block == 0 ? random : own, ticker, draw);
  });
}

// Blocks by themselves, then pairs of neighbours, pairs of pairs, ...
void sort_in_blocks(LargeArray<double>& values) {
  const std::size_t count = values.size();
#pragma omp parallel for schedule(dynamic)
  for (std::size_t first = 0; first < count; first += sort_block)
    std::sort(values.data() + first, values.data() + std::min(count, first + sort_block));
  LargeArray<double> merged(count > sort_block ? count : 0);
  for (std::size_t sorted = sort_block; sorted < count; sorted *= 2) {
    merge_neighbours(values, sorted, merged);
    values.swap(merged);
  }
}

double even_fraction(std::size_t k, std::uint64_t seed) {
  // The golden ratio in 64 bits; the multiples wrap around at 1.
  const std::uint64_t turned = mixed_seed(seed) + std::uint64_t{k} * 0x9e3779b97f4a7c15U;
  return (static_cast<double>(turned >> 11U) + 0.5) * 0x1.0p-53;
}

Bodies draw_bodies(std::size_t count, std::uint64_t seed, const Ticker& ticker, const DrawBody& draw) {
  Bodies bodies;
  bodies.resize(count);
  std::ranges::fill(bodies.mass, static_cast<float>(1.0 / static_cast<double>(count)));
  std::ranges::fill(bodies.component, Component::star);
  const std::size_t blocks = (count + block_size - 1) / block_size;
  std::atomic<std::size_t> done{0};
  on_all_cores(blocks, [&](std::size_t block) {
    ticker.at(std::min(count, block_size * done++));
    draw_block(bodies, block, seed, draw);
  });
  return bodies;
}

void center(Bodies& bodies) {
  DVec3 x, v;
  double mass = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double m = bodies.mass[i];
    x += m * DVec3(bodies.position[i]);
    v += m * DVec3(bodies.velocity[i]);
    mass += m;
  }
  if (!(mass > 0.0)) return;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.position[i] = Vec3(DVec3(bodies.position[i]) - (1.0 / mass) * x);
    bodies.velocity[i] = Vec3(DVec3(bodies.velocity[i]) - (1.0 / mass) * v);
  }
}

Scene drawn_scene(const ModelRequest& request, const DrawBody& draw) {
  Scene scene;
  scene.bodies =
      draw_bodies(request.bodies, request.seed, {request.progress, request.bodies, 0.0F, 0.9F}, draw);
  center(scene.bodies);
  return scene;
}

}  // namespace orrery::sim
