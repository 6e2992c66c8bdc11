#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orrery::app::serve {

/// Appends the lowest `count` bytes of a number, the lowest first.
inline void put_number(std::string& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes += static_cast<char>(value >> (8 * k) & 0xffU);
}
inline void put_number(std::vector<std::byte>& bytes, std::uint64_t value, int count) {
  for (int k = 0; k < count; ++k) bytes.push_back(static_cast<std::byte>(value >> (8 * k) & 0xffU));
}

}  // namespace orrery::app::serve
