#include "sim/snapshots/named_array.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace orrery::sim {

namespace {

/// Calls visit with a number of that type.
template <typename Visit>
auto visit_type(ArrayType type, const Visit& visit) {
  switch (type) {
    case ArrayType::i8:
      return visit(std::int8_t{});
    case ArrayType::u8:
    case ArrayType::text:
      return visit(std::uint8_t{});
    case ArrayType::i16:
      return visit(std::int16_t{});
    case ArrayType::u16:
      return visit(std::uint16_t{});
    case ArrayType::i32:
      return visit(std::int32_t{});
    case ArrayType::u32:
      return visit(std::uint32_t{});
    case ArrayType::i64:
      return visit(std::int64_t{});
    case ArrayType::u64:
      return visit(std::uint64_t{});
    case ArrayType::f64:
      return visit(double{});
    case ArrayType::f32:
      break;
  }
  return visit(float{});
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
