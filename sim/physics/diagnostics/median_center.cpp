#include "sim/physics/diagnostics/median_center.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace orrery::sim {

namespace {

using Places = std::vector<std::pair<float, float>>;  // of bodies along an axis, and their masses

double mass_of(Places::const_iterator first, Places::const_iterator last) {
  return std::accumulate(first, last, 0.0, [](double sum, const auto& each) { return sum + each.second; });
}

// Where half of the mass lies on each side, by halving what it may be among. Puts `places` into another
// order.
double weighted_median(Places& places) {
  if (places.empty()) return 0.0;
  const double half = 0.5 * mass_of(places.begin(), places.end());
  double below = 0.0;
  auto first = places.begin(), last = places.end();
  while (last - first > 1) {
    const auto middle = first + (last - first) / 2;
    std::nth_element(first, middle, last);
    const double lower = mass_of(first, middle);
    (below + lower > half ? last : first) = middle;
    if (first == middle) below += lower;
  }
  // Just half on each side: the middle of the gap.
  if (below == half && first != places.begin())
    return 0.5 * (double{first->first} + double{std::max_element(places.begin(), first)->first});
  return first->first;
}

}  // namespace

DVec3 median_center(std::span<const Vec3> position, std::span<const float> mass, const GalaxyRange& range) {
  Places places;
  const auto along = [&](float Vec3::*axis) {
    places.clear();
    for (std::size_t i = range.first; i < range.last; ++i)
      if (mass[i] > 0.0F && std::isfinite(position[i].*axis)) places.emplace_back(position[i].*axis, mass[i]);
    return weighted_median(places);
  };
  return {along(&Vec3::x), along(&Vec3::y), along(&Vec3::z)};
}

double distance_from(const DVec3& center, const Vec3& position) {
  const double distance = norm(DVec3(position) - center);
  return std::isnan(distance) ? std::numeric_limits<double>::infinity() : distance;
}

}  // namespace orrery::sim
