#pragma once

#include <array>
#include <cstddef>
#include <glm/glm.hpp>

#include "render/color_maps/color_space.h"

namespace orrery::render {

/// A colour map as sums of Chebyshev polynomials: coefficients of T_0, T_1, ... for the display values of
/// red, green and blue.
using ChebyshevColors = std::array<glm::vec3, 10>;

/// The linear-light colour at t in 0..1: sum_k c_k T_k(2t - 1), clamped to the display's range. By Clenshaw's
/// recurrence.
inline glm::vec3 fitted_color(const ChebyshevColors& series, float t) {
  const float x = 2.0F * t - 1.0F;
  glm::vec3 next{0.0F}, after{0.0F};
  for (std::size_t k = series.size(); k-- > 1;) {
    const glm::vec3 here = series.at(k) + 2.0F * x * next - after;
    after = next;
    next = here;
  }
  return srgb_decode(glm::clamp(series.front() + x * next - after, 0.0F, 1.0F));
}

}  // namespace orrery::render
