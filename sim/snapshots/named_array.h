#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace orrery::sim {

/// The numbers that arrays of files hold; text: none.
enum class ArrayType : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, text };

/// Bytes per element.
std::size_t size_of(ArrayType type);
/// The type of arrays that hold these numbers.
template <typename T>
requires std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t> ||
    std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>
inline constexpr ArrayType type_of = std::is_same_v<T, float>           ? ArrayType::f32
                                     : std::is_same_v<T, double>        ? ArrayType::f64
                                     : std::is_same_v<T, std::int32_t>  ? ArrayType::i32
                                     : std::is_same_v<T, std::uint32_t> ? ArrayType::u32
                                                                        : ArrayType::u64;

/// One array of a file, as it was read: tuples of `components` values, in this machine's byte order.
struct NamedArray {
  std::string name;
  ArrayType type = ArrayType::f32;
  std::size_t components = 1;
  std::vector<std::byte> bytes = {};
  std::string unit = {};  ///< as the file states it; empty: not stated

  std::size_t values() const { return bytes.size() / size_of(type); }
  std::size_t tuples() const { return values() / components; }
  /// Value i of all components in turn.
  double number(std::size_t i) const;
  /// Value i as a whole number; empty if it is none from 0 to 2^64 - 1.
  std::optional<std::uint64_t> whole(std::size_t i) const;
  /// A value of its own type behind the others.
  template <typename T>
  void append(T value) {
    bytes.resize(bytes.size() + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
  }
};

/// The product of two counts that a file states; `most` where it is more.
constexpr std::uint64_t limited_product(std::uint64_t a, std::uint64_t b,
                                        std::uint64_t most = std::uint64_t{1} << 60) {
  return b != 0 && a > most / b ? most : a * b;
}

/// Turns the bytes of each element of `size` bytes around where they are not in this machine's order.
void to_native(std::span<std::byte> bytes, std::size_t size, bool big_endian);

}  // namespace orrery::sim
