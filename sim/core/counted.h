#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A number with what it counts: "1 galaxy", "2 galaxies".
template <std::integral Number>
std::string counted(Number number, std::string_view one, std::string_view several) {
  return std::to_string(number) + ' ' + std::string(number == 1 ? one : several);
}

}  // namespace orrery::sim
