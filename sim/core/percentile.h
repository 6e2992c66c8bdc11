#pragma once

#include <algorithm>
#include <cstddef>
#include <ranges>

namespace orrery::sim {

/// The value that stands `index` places from the smallest. Puts the values in another order.
template <std::ranges::random_access_range Values>
auto nth_smallest(Values&& values, std::size_t index) {
  const auto nth = std::ranges::begin(values) + static_cast<std::ptrdiff_t>(index);
  std::ranges::nth_element(values, nth);
  return *nth;
}

/// The value below which about `fraction` (0 to 1) of the others lie: one of the values, the smaller one
/// where it falls between two. There must be some. Puts them in another order.
template <std::ranges::random_access_range Values>
auto percentile(Values&& values, double fraction) {
  const auto last = static_cast<double>(std::ranges::size(values) - 1);
  return nth_smallest(values, static_cast<std::size_t>(fraction * last));
}

/// The median; of an even number the larger one in the middle. There must be some values. Puts them in
/// another order.
template <std::ranges::random_access_range Values>
auto median(Values&& values) {
  return nth_smallest(values, std::ranges::size(values) / 2);
}

}  // namespace orrery::sim
