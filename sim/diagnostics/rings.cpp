#include "sim/diagnostics/rings.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace orrery::sim {

namespace {

double distance(const DVec3& x) { return std::hypot(x.x, x.y); }

double outermost(const CenteredState& state) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < state.size(); ++i)
    if (state.in_profile[i]) distances.push_back(distance(state.position[i]));
  if (distances.empty()) return 0.0;
  const auto at =
      distances.begin() + static_cast<std::ptrdiff_t>(0.95 * static_cast<double>(distances.size() - 1));
  std::nth_element(distances.begin(), at, distances.end());
  return *at;
}

// Along R, phi and z.
DVec3 cylindrical(const DVec3& x, const DVec3& v) {
  const double r = distance(x);
  return {(x.x * v.x + x.y * v.y) / r, (x.x * v.y - x.y * v.x) / r, v.z};
}

struct Sums {
  DVec3 first, second;  // of m v and m v^2 by component
};

void add(Sums& sums, double mass, const DVec3& v) {
  sums.first += mass * v;
  sums.second += mass * DVec3{v.x * v.x, v.y * v.y, v.z * v.z};
}

void finish(Ring& ring, const Sums& sums) {
  const auto spread = [&](double DVec3::*along) {
    if (ring.bodies < 2) return std::numeric_limits<double>::quiet_NaN();
    const double mean = sums.first.*along / ring.mass;
    return std::sqrt(std::max(sums.second.*along / ring.mass - mean * mean, 0.0));
  };
  ring.rotation = ring.bodies > 0 ? sums.first.y / ring.mass : std::numeric_limits<double>::quiet_NaN();
  ring.sigma_r = spread(&DVec3::x);
  ring.sigma_phi = spread(&DVec3::y);
  ring.sigma_z = spread(&DVec3::z);
}

}  // namespace

double Ring::surface_density() const { return mass / (std::numbers::pi * (outer * outer - inner * inner)); }

std::vector<Ring> rings_of(const CenteredState& state, std::size_t count) {
  const double edge = outermost(state);
  if (!(edge > 0.0) || count == 0) return {};
  const double width = edge / static_cast<double>(count);
  std::vector<Ring> rings(count);
  std::vector<Sums> sums(count);
  for (std::size_t k = 0; k < count; ++k) {
    rings[k].inner = width * static_cast<double>(k);
    rings[k].outer = width * static_cast<double>(k + 1);
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    const double r = distance(state.position[i]);
    if (!state.in_profile[i] || r >= edge || r == 0.0) continue;
    const auto k = std::min(static_cast<std::size_t>(r / width), count - 1);
    ++rings[k].bodies;
    rings[k].mass += state.mass[i];
    add(sums[k], state.mass[i], cylindrical(state.position[i], state.velocity[i]));
  }
  for (std::size_t k = 0; k < count; ++k) finish(rings[k], sums[k]);
  return rings;
}

}  // namespace orrery::sim
