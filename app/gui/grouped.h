#pragma once

#include <cstddef>
#include <string>

namespace orrery::app {

/// A number for people: "20 480".
inline std::string grouped(std::size_t number) {
  auto text = std::to_string(number);
  for (auto at = text.size(); at > 3;) text.insert(at -= 3, 1, ' ');
  return text;
}

}  // namespace orrery::app
