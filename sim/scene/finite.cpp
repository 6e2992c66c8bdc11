#include "sim/scene/finite.h"

#include <fmt/format.h>

#include <cmath>

namespace orrery::sim {

std::string not_finite(const Bodies& bodies, std::size_t i) {
  const char* const what = !is_finite(bodies.position[i])     ? "position"
                           : !is_finite(bodies.velocity[i])   ? "velocity"
                           : !std::isfinite(bodies.mass[i])   ? "mass"
                           : !std::isfinite(bodies.charge[i]) ? "charge"
                                                              : nullptr;
  return what == nullptr ? std::string() : fmt::format("the {} of body {}", what, i + 1);
}

std::string first_not_finite(const Bodies& bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (auto what = not_finite(bodies, i); !what.empty()) return what;
  }
  return {};
}

}  // namespace orrery::sim
