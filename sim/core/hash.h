#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace orrery::sim {

/// The hash FNV-1a of Fowler, Noll and Vo with 32 or 64 bits: tells contents apart and notices
/// damage, quickly; no protection against intent.
template <std::unsigned_integral Value>
requires(sizeof(Value) == 4 || sizeof(Value) == 8) class Fnv1a {
 public:
  /// Byte by byte, as the definition has it; in pieces or at once is the same.
  constexpr void add(std::span<const std::byte> bytes) {
    for (const auto byte : bytes) add_word(static_cast<Value>(byte));
  }
  constexpr void add(std::string_view text) {
    for (const char c : text) add_word(static_cast<unsigned char>(c));
  }
  /// A larger word in the place of a byte: several times faster, and another hash.
  constexpr void add_word(Value word) { value_ = (value_ ^ word) * prime; }
  /// The hash of everything added so far.
  constexpr Value value() const { return value_; }

 private:
  static constexpr bool large = sizeof(Value) == 8;
  static constexpr Value prime = static_cast<Value>(large ? 0x100000001b3U : 0x01000193U);
  Value value_ = static_cast<Value>(large ? 0xcbf29ce484222325U : 0x811c9dc5U);
};

}  // namespace orrery::sim
