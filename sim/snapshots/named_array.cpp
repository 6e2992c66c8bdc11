#include "sim/snapshots/named_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>
#include <type_traits>

namespace orrery::sim {

namespace {

/// In the order of ArrayType; texts are taken as bytes.
using Numbers = std::tuple<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                           std::uint32_t, std::int64_t, std::uint64_t, float, double, std::uint8_t>;

/// Calls visit with a number of that type.
template <std::size_t k = 0, typename Visit>
auto visit_type(ArrayType type, const Visit& visit) {
  if constexpr (k + 1 < std::tuple_size_v<Numbers>)
    if (static_cast<std::size_t>(type) != k) return visit_type<k + 1>(type, visit);
  return visit(std::tuple_element_t<k, Numbers>{});
}

template <typename T>
std::optional<std::uint64_t> whole_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    constexpr double end = 18446744073709551616.0;  // 2^64
    const auto number = static_cast<double>(value);
    if (!(number >= 0.0 && number < end) || number != std::floor(number)) return std::nullopt;
  } else if constexpr (std::is_signed_v<T>) {
    if (value < 0) return std::nullopt;
  }
  return static_cast<std::uint64_t>(value);
}

template <std::size_t size>
void reverse_each(std::span<std::byte> bytes) {
  for (std::size_t i = 0; i + size <= bytes.size(); i += size)
    std::ranges::reverse(bytes.subspan(i).template first<size>());
}

}  // namespace

std::size_t size_of(ArrayType type) {
  return visit_type(type, [](auto value) { return sizeof(value); });
}

double NamedArray::number(std::size_t i) const {
  return visit_type(type, [&](auto value) {
    std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
    return static_cast<double>(value);
  });
}

std::optional<std::uint64_t> NamedArray::whole(std::size_t i) const {
  return visit_type(type, [&](auto value) {
    std::memcpy(&value, bytes.data() + i * sizeof(value), sizeof(value));
    return whole_of(value);
  });
}

void to_native(std::span<std::byte> bytes, std::size_t size, bool big_endian) {
  if (big_endian == (std::endian::native == std::endian::big)) return;
  if (size == 2) reverse_each<2>(bytes);
  if (size == 4) reverse_each<4>(bytes);
  if (size == 8) reverse_each<8>(bytes);
}

}  // namespace orrery::sim
