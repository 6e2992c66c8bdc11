#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A number with what it counts: "1 galaxy", "2 galaxies".
template <std::integral Number>
std::string counted(Number number, std::string_view one, std::string_view several) {
  return std::to_string(number) + ' ' + std::string(number == 1 ? one : several);
}

/// A number for people: "20 480".
inline std::string grouped(std::size_t number) {
  auto text = std::to_string(number);
  for (auto at = text.size(); at > 3;) text.insert(at -= 3, 1, ' ');
  return text;
}

}  // namespace orrery::sim
