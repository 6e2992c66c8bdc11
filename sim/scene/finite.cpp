#include "sim/scene/finite.h"

#include <fmt/format.h>

#include <cmath>

namespace orrery::sim {

namespace {

/// The name of the number of body `i` that is not finite; nullptr: all are.
const char* which_not_finite(const Bodies& bodies, std::size_t i) {
  const auto is_bad = [i](const std::vector<float>& values) {
    return !values.empty() && !std::isfinite(values[i]);
  };
  return !is_finite(bodies.position[i])   ? "position"
         : !is_finite(bodies.velocity[i]) ? "velocity"
         : is_bad(bodies.mass)            ? "mass"
         : is_bad(bodies.charge)          ? "charge"
                                          : nullptr;
}

}  // namespace

std::string not_finite(const Bodies& bodies, std::size_t i) {
  const char* const what = which_not_finite(bodies, i);
  return what == nullptr ? std::string() : fmt::format("the {} of body {}", what, i + 1);
}

std::string first_not_finite(const Bodies& bodies) {
  constexpr std::size_t worth_threads = 100'000;
  const std::size_t count = bodies.size();
  std::size_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first) if (count > worth_threads)
  for (std::size_t i = 0; i < count; ++i) {
    if (i < first && which_not_finite(bodies, i) != nullptr) first = i;
  }
  return first < count ? not_finite(bodies, first) : std::string();
}

}  // namespace orrery::sim
