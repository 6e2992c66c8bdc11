#pragma once

#include <glm/glm.hpp>
#include <ranges>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/percentile.h"

namespace orrery::app {

/// A vector of the simulation as one of glm, of doubles.
inline glm::dvec3 to_glm(const sim::Vec3& v) { return {v.x, v.y, v.z}; }

/// The percentile, as sim::percentile, of a value of each place. There must be places.
template <std::ranges::sized_range Places, typename Value>
double percentile_of(const Places& places, double part, Value value) {
  std::vector<double> values;
  values.reserve(std::ranges::size(places));
  for (const glm::dvec3& place : places) values.push_back(value(place));
  return sim::percentile(values, part);
}

/// The median along each axis. There must be places.
template <std::ranges::sized_range Places>
glm::dvec3 median_of(const Places& places) {
  glm::dvec3 median{0.0};
  for (glm::length_t axis = 0; axis < 3; ++axis)
    median[axis] = percentile_of(places, 0.5, [axis](const glm::dvec3& place) { return place[axis]; });
  return median;
}

}  // namespace orrery::app
