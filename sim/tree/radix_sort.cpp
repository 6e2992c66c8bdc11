#include "sim/tree/radix_sort.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace orrery::sim {

namespace {

constexpr unsigned digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
/// Below this a thread's start costs more than it saves.
constexpr std::size_t worth_a_part = 16'384;

using Histogram = std::array<std::size_t, digits>;

std::size_t digit_of(const KeyedIndex& item, unsigned shift) { return (item.key >> shift) & (digits - 1); }

/// The items in as many parts as threads shall work on.
struct Parts {
  std::size_t items = 0, count = 1;
  std::size_t begin(std::size_t part) const { return items * part / count; }
};

void count_digits(const std::vector<KeyedIndex>& items, unsigned shift, const Parts& parts,
                  std::vector<Histogram>& histograms) {
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts.count))
  for (std::size_t part = 0; part < parts.count; ++part) {
    histograms[part].fill(0);
    for (std::size_t i = parts.begin(part); i < parts.begin(part + 1); ++i)
      ++histograms[part][digit_of(items[i], shift)];
  }
}

/// Counts become places: by digit, and within a digit by part. False if all items have one digit.
bool counts_to_places(std::vector<Histogram>& histograms, std::size_t items) {
  std::size_t place = 0;
  bool several = false;
  for (std::size_t digit = 0; digit < digits; ++digit) {
    const std::size_t first = place;
    for (auto& histogram : histograms) {
      const std::size_t count = histogram[digit];
      histogram[digit] = place;
      place += count;
    }
    several = several || (place > first && place - first < items);
  }
  return several;
}

void move_items(const std::vector<KeyedIndex>& items, unsigned shift, const Parts& parts,
                std::vector<Histogram>& places, std::vector<KeyedIndex>& moved) {
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts.count))
  for (std::size_t part = 0; part < parts.count; ++part) {
    for (std::size_t i = parts.begin(part); i < parts.begin(part + 1); ++i)
      moved[places[part][digit_of(items[i], shift)]++] = items[i];
  }
}

}  // namespace

void sort_by_key(std::vector<KeyedIndex>& items, std::vector<KeyedIndex>& scratch, int threads) {
  const auto most = static_cast<std::size_t>(std::max(1, threads));
  const Parts parts{items.size(), std::clamp<std::size_t>(items.size() / worth_a_part, 1, most)};
  std::vector<Histogram> histograms(parts.count);
  scratch.resize(items.size());
  for (unsigned shift = 0; shift < 64; shift += digit_bits) {
    count_digits(items, shift, parts, histograms);
    if (!counts_to_places(histograms, items.size())) continue;
    move_items(items, shift, parts, histograms, scratch);
    items.swap(scratch);
  }
}

}  // namespace orrery::sim
