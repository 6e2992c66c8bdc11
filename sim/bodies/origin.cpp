#include "sim/bodies/origin.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/core/percentile.h"

namespace orrery::sim {

namespace {

constexpr std::size_t bodies_looked_at = 4096;
constexpr double far_away = 16.0;

/// A multiple of a power of two below the radius: a single-precision number with few digits.
double round_near(double value, double radius) {
  if (std::abs(value) < far_away * radius) return 0.0;
  const double grain = std::ldexp(1.0, std::max(std::ilogb(radius), std::ilogb(value) - 20));
  return std::round(value / grain) * grain;
}

bool is_near(float value, float other) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return value >= std::nextafter(other, -infinity) && value <= std::nextafter(other, infinity);
}

}  // namespace

BodySpread spread_of(std::span<const Vec3> position) {
  if (position.empty()) return {};
  const std::size_t stride = position.size() / bodies_looked_at + 1;
  std::vector<double> values;
  const auto middle = [&](float Vec3::*axis) {
    values.clear();
    for (std::size_t i = 0; i < position.size(); i += stride) values.push_back(position[i].*axis);
    return median(values);
  };
  BodySpread spread{{middle(&Vec3::x), middle(&Vec3::y), middle(&Vec3::z)}};
  values.clear();
  for (std::size_t i = 0; i < position.size(); i += stride)
    values.push_back(norm(static_cast<DVec3>(position[i]) - spread.centre));
  spread.radius = median(values);
  if (!(spread.radius > 0.0)) spread.radius = *std::ranges::max_element(values);
  return spread;
}

DVec3 wanted_origin(const Bodies& bodies) {
  const auto [centre, radius] = spread_of(bodies.position);
  if (!(radius > 0.0) || !std::isfinite(radius)) return {};
  return {round_near(centre.x, radius), round_near(centre.y, radius), round_near(centre.z, radius)};
}

void set_origin(Bodies& bodies, const DVec3& origin) {
  if (bodies.origin == origin) return;
  const DVec3 shift = bodies.origin - origin;
  for (auto& x : bodies.position) x = static_cast<Vec3>(static_cast<DVec3>(x) + shift);
  bodies.origin = origin;
}

bool keeps_bits(std::span<const Vec3> position, const DVec3& origin) {
  if (origin == DVec3{}) return true;
  return std::ranges::all_of(position, [&](const Vec3& x) {
    return static_cast<Vec3>(static_cast<DVec3>(counted_from(origin, static_cast<DVec3>(x))) + origin) == x;
  });
}

bool agrees(const Bodies& bodies, const Bodies& rounded) {
  if (bodies.size() != rounded.size()) return false;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto x = static_cast<Vec3>(absolute_place(bodies, i));
    const auto& y = rounded.position[i];
    if (!is_near(x.x, y.x) || !is_near(x.y, y.y) || !is_near(x.z, y.z)) return false;
  }
  return true;
}

}  // namespace orrery::sim
