#include "sim/tree/curve_sort.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "sim/tree/curve_grid.h"

namespace orrery::sim {

namespace {

/// Bodies of a bucket: 32 KiB. More buckets than that many have their lines in no cache at once.
constexpr std::size_t bucket_bodies = 1024, most_buckets = 1024;
/// Sampled keys a bucket: the largest of a thousand then is some three times the mean.
constexpr std::size_t samples = 4;
/// Below this a thread's start costs more than it saves.
constexpr std::size_t worth_a_part = 16'384;
/// So few items are sorted one by one.
constexpr std::size_t few = 24;
constexpr unsigned most_bin_bits = 11;
/// Keys whose buckets are searched together.
constexpr std::size_t at_once = 16;

/// Takes the items of `from` one by one to their positions in `to`.
void insert_sorted(std::span<const KeyedIndex> from, std::span<KeyedIndex> to) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    const KeyedIndex item = from[i];
    std::size_t at = i;
    for (; at > 0 && to[at - 1].key > item.key; --at) to[at] = to[at - 1];
    to[at] = item;
  }
}

/// Bins of one width between the least and the largest key.
struct Bins {
  std::uint64_t least = 0;
  unsigned shift = 0;
  std::size_t count = 0;

  explicit Bins(std::span<const KeyedIndex> items) {
    std::uint64_t most = least = items.front().key;
    for (const auto& item : items) least = std::min(least, item.key), most = std::max(most, item.key);
    const auto bits = static_cast<unsigned>(std::bit_width(most - least));
    const auto wanted = std::min(static_cast<unsigned>(std::bit_width(items.size())), most_bin_bits);
    shift = bits > wanted ? bits - wanted : 0;
    count = least == most ? 1 : static_cast<std::size_t>((most - least) >> shift) + 1;
  }
  std::size_t of(const KeyedIndex& item) const { return (item.key - least) >> shift; }
};

}  // namespace

void sort_run(std::span<KeyedIndex> items, std::span<KeyedIndex> scratch) {
  if (items.size() < 2) return;
  const Bins bins(items);
  if (bins.count == 1) return;
  std::array<std::uint32_t, std::size_t{1} << most_bin_bits> ends{};
  for (const auto& item : items) ++ends[bins.of(item)];
  std::uint32_t place = 0;
  for (std::size_t k = 0; k < bins.count; ++k) {
    const std::uint32_t count = ends[k];
    ends[k] = place;
    place += count;
  }
  for (const auto& item : items) scratch[ends[bins.of(item)]++] = item;
  std::uint32_t begin = 0;
  for (std::size_t k = 0; k < bins.count; begin = ends[k++]) {
    const std::size_t count = ends[k] - begin;
    const auto bin = scratch.subspan(begin, count), sorted = items.subspan(begin, count);
    if (count <= few) {
      insert_sorted(bin, sorted);
    } else {
      std::ranges::copy(bin, sorted.begin());
      if (bins.shift > 0) sort_run(sorted, bin);
    }
  }
}

template <typename Grid>
void CurveSort::choose_cuts(std::span<const Vec3> position, const Grid& grid) {
  buckets_ = std::bit_floor(std::clamp<std::size_t>(bodies_ / bucket_bodies, 1, most_buckets));
  const std::size_t count = buckets_ > 1 ? samples * buckets_ : 0;
  sample_.resize(count);
#pragma omp parallel for schedule(static) num_threads(parts_.threads())
  for (std::size_t k = 0; k < count; ++k) sample_[k] = grid.key(position[bodies_ * k / count]);
  std::ranges::sort(sample_);
  cuts_.resize(buckets_ - 1);
  for (std::size_t k = 0; k + 1 < buckets_; ++k) cuts_[k] = sample_[samples * (k + 1)];
}

/// As index of each, how many cuts are not above its key. No branches, which nobody could foresee, and one
/// step of all searches after the other: none waits for its own last step.
void CurveSort::find_buckets(std::span<KeyedIndex> keys) const {
  for (auto& item : keys) item.index = 0;
  for (auto half = static_cast<std::uint32_t>(buckets_ / 2); half > 0; half /= 2) {
    const std::uint64_t* const cuts = cuts_.data() + half - 1;
    for (auto& item : keys) item.index += half * static_cast<std::uint32_t>(cuts[item.index] <= item.key);
  }
}

/// With the bucket as index.
template <typename Grid>
void CurveSort::find_keys(std::span<const Vec3> position, const Grid& grid, std::span<KeyedIndex> keys) {
  places_.assign(parts_.count() * buckets_, 0);
#pragma omp parallel for schedule(static, 1) num_threads(parts_.threads())
  for (std::size_t part = 0; part < parts_.count(); ++part) {
    std::uint32_t* const counts = places_.data() + part * buckets_;
    for (std::size_t first = parts_.begin(part), end = parts_.begin(part + 1); first < end;
         first += at_once) {
      const auto some = keys.subspan(first, std::min(at_once, end - first));
      for (std::size_t k = 0; k < some.size(); ++k) some[k].key = grid.key(position[first + k]);
      find_buckets(some);
      for (const auto& item : some) ++counts[item.index];
    }
  }
}

void CurveSort::counts_to_places() {
  begins_.resize(buckets_ + 1);
  std::uint32_t place = 0;
  for (std::size_t bucket = 0; bucket < buckets_; ++bucket) {
    begins_[bucket] = place;
    for (std::size_t part = 0; part < parts_.count(); ++part) {
      auto& entry = places_[part * buckets_ + bucket];
      const std::uint32_t count = entry;
      entry = place;
      place += count;
    }
  }
  begins_[buckets_] = place;
}

void CurveSort::fill_buckets(std::span<const Vec3> position, std::span<const float> mass,
                             std::span<const KeyedIndex> keys) {
  if (items_.size() < bodies_) items_.resize(bodies_);
#pragma omp parallel for schedule(static, 1) num_threads(parts_.threads())
  for (std::size_t part = 0; part < parts_.count(); ++part) {
    std::uint32_t* const places = places_.data() + part * buckets_;
    for (std::size_t i = parts_.begin(part); i < parts_.begin(part + 1); ++i)
      items_[places[keys[i].index]++] = {keys[i].key, static_cast<std::uint32_t>(i), mass[i], position[i]};
  }
}

void CurveSort::sort_bucket(std::size_t bucket, std::vector<KeyedIndex>& scratch, CurveBodies& sorted) const {
  const std::size_t begin = begins_[bucket], count = begins_[bucket + 1] - begin;
  // Of bodies in one place a bucket may hold all: only the thread that has it makes room for that.
  if (scratch.size() < count) scratch.resize(count);
  const Item* const items = items_.data() + begin;
  const auto keys = std::span(sorted.keys).subspan(begin, count);
  for (std::size_t k = 0; k < count; ++k) keys[k] = {items[k].key, static_cast<std::uint32_t>(k)};
  sort_run(keys, scratch);
  for (std::size_t k = 0; k < count; ++k) {
    const Item& item = items[keys[k].index];
    keys[k].index = item.index;
    sorted.order[begin + k] = item.index;
    sorted.position[begin + k] = item.position;
    sorted.mass[begin + k] = item.mass;
  }
}

void CurveSort::sort_buckets(CurveBodies& sorted) {
  scratch_.resize(parts_.count());
#pragma omp parallel for schedule(dynamic, 1) num_threads(parts_.threads())
  for (std::size_t k = 0; k < buckets_; ++k)
    sort_bucket(k, scratch_[static_cast<std::size_t>(omp_get_thread_num())], sorted);
}

template <typename Grid>
void CurveSort::sort(std::span<const Vec3> position, std::span<const float> mass, const Grid& grid,
                     int threads, CurveBodies& sorted) {
  bodies_ = position.size();
  parts_ = PassParts(bodies_, worth_a_part, threads);
  sorted.keys.resize(bodies_);
  sorted.order.resize(bodies_);
  sorted.position.resize(bodies_);
  sorted.mass.resize(bodies_);
  choose_cuts(position, grid);
  find_keys(position, grid, sorted.keys);
  counts_to_places();
  fill_buckets(position, mass, sorted.keys);
  sort_buckets(sorted);
}

template <typename Grid>
std::vector<std::uint32_t> curve_order(std::span<const Vec3> position, const Grid& grid, int threads) {
  CurveBodies sorted;
  CurveSort().sort(position, std::vector<float>(position.size()), grid, threads, sorted);
  return sorted.order;
}

std::vector<BodyRange> cut_order(std::span<const std::uint32_t> order, std::span<const float> work,
                                 std::span<const double> weights) {
  const auto work_of = [&](std::uint32_t body) { return work.empty() ? 1.0 : double{work[body]}; };
  double all = 0.0;
  for (const auto body : order) all += work_of(body);
  const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<BodyRange> stretches;
  std::size_t next = 0;
  double sum = 0.0, share = 0.0;
  for (std::size_t w = 0; w < weights.size(); ++w) {
    share += weights[w] / weight;
    const std::size_t first = next, others = weights.size() - 1 - w;
    // One body at least, and one for each of those to come.
    const std::size_t least = std::min(first + 1, order.size());
    const std::size_t most = std::max(order.size() - std::min(others, order.size()), least);
    while (next < least || (next < most && (others == 0 || sum + 0.5 * work_of(order[next]) < share * all)))
      sum += work_of(order[next++]);
    stretches.push_back({first, next});
  }
  return stretches;
}

template void CurveSort::sort(std::span<const Vec3>, std::span<const float>, const CurveGrid&, int,
                              CurveBodies&);
template std::vector<std::uint32_t> curve_order(std::span<const Vec3>, const CurveGrid&, int);
template std::vector<std::uint32_t> curve_order(std::span<const Vec3>, const EvenGrid&, int);

}  // namespace orrery::sim
