#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

namespace orrery::sim {

inline constexpr bool machine_is_big = std::endian::native == std::endian::big;

/// A number of either byte order from `at`, which need not be aligned.
template <typename T, bool swap>
T load(const std::byte* at) {
  std::array<std::byte, sizeof(T)> raw;
  std::memcpy(raw.data(), at, sizeof(T));
  if constexpr (swap) std::ranges::reverse(raw);
  return std::bit_cast<T>(raw);
}

/// Reads a number whose byte order is known at run time only.
template <typename T>
T load(const std::byte* at, bool big_endian) {
  return big_endian != machine_is_big ? load<T, true>(at) : load<T, false>(at);
}

/// The bytes of a number in that order.
template <typename T>
std::array<std::byte, sizeof(T)> bytes_of(T value, bool big_endian) {
  auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(value);
  if (big_endian != machine_is_big) std::ranges::reverse(raw);
  return raw;
}

/// The inverse of load.
template <typename T>
void store(T value, bool big_endian, std::byte* at) {
  std::ranges::copy(bytes_of(value, big_endian), at);
}

}  // namespace orrery::sim
