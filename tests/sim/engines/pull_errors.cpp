#include <algorithm>
#include <cmath>
#include <limits>

#include "engine_cases.h"

namespace orrery::sim::checks {

namespace {

/// The bodies of a sample as arrays that vector instructions read.
struct Sources {
  explicit Sources(const ForceSample& sample) : m(sample.mass.begin(), sample.mass.end()) {
    for (const auto& p : sample.position) {
      x.push_back(p.x);
      y.push_back(p.y);
      z.push_back(p.z);
    }
  }
  std::vector<double> x, y, z, m;
};

/// Force on a body over G, and the sum of the magnitudes of its pulls.
struct Pulls {
  DVec3 sum{};
  double sizes = 0.0;
};

/// Bodies at no softened distance do not pull, nor does a body itself: its distance is no vector.
Pulls pulls_on(const Sources& bodies, const GalaxyRange& galaxy, double eps2, std::size_t i) {
  const double *x = bodies.x.data(), *y = bodies.y.data(), *z = bodies.z.data(), *m = bodies.m.data();
  const double xi = x[i], yi = y[i], zi = z[i];
  double ax = 0.0, ay = 0.0, az = 0.0, sizes = 0.0;
#pragma omp simd reduction(+ : ax, ay, az, sizes)
  for (std::size_t j = galaxy.first; j < galaxy.last; ++j) {
    const double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
    const double r2 = dx * dx + dy * dy + dz * dz, sum = r2 + eps2;
    const double d2 = sum > 0.0 ? sum : std::numeric_limits<double>::infinity();
    const double weight = m[j] / (d2 * std::sqrt(d2));
    ax += weight * dx, ay += weight * dy, az += weight * dz;
    sizes += weight * std::sqrt(r2);
  }
  return {{ax, ay, az}, sizes};
}

}  // namespace

double largest_error_of_pulls(const ForceSample& sample) {
  const Sources bodies(sample);
  const double g = sample.physics.constants().gravitational_constant;
  const double eps2 = sample.physics.softening * sample.physics.softening;
  double largest = 0.0;
  for (std::size_t k = 0; k < sample.index.size(); ++k) {
    if (!is_finite(sample.acceleration[k])) return std::numeric_limits<double>::infinity();
    const auto i = sample.index[k];
    const auto galaxy = std::ranges::upper_bound(sample.galaxies, i, {}, &GalaxyRange::last);
    const auto pulls = pulls_on(bodies, *galaxy, eps2, i);
    const double off = norm(DVec3(sample.acceleration[k]) - g * pulls.sum);
    if (off > 0.0) largest = std::max(largest, off / (g * pulls.sizes));
  }
  return largest;
}

}  // namespace orrery::sim::checks
