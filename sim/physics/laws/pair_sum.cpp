#include "sim/physics/laws/pair_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace orrery::sim {

namespace {
// Sources of one pass of pair_sum: 4 arrays of 1024 doubles stay in a first-level cache.
constexpr std::size_t sources_per_pass = 1024;

// Infinitely far instead of a branch: such a pair then adds exactly 0.
inline double far_if_zero(double r2) { return r2 > 0.0 ? r2 : std::numeric_limits<double>::infinity(); }
}  // namespace

PointMasses::PointMasses(std::span<const Vec3> positions, std::span<const float> masses)
    : x(positions.size()), y(positions.size()), z(positions.size()), mass(masses.begin(), masses.end()) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    x[i] = positions[i].x;
    y[i] = positions[i].y;
    z[i] = positions[i].z;
  }
}

double inverse_distance_sum(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                            double softening_squared) {
  const double* sx = masses.x.data();
  const double* sy = masses.y.data();
  const double* sz = masses.z.data();
  const double* sm = masses.mass.data();
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const double dx = sx[j] - x.x, dy = sy[j] - x.y, dz = sz[j] - x.z;
    sum += sm[j] / std::sqrt(far_if_zero(dx * dx + dy * dy + dz * dz + softening_squared));
  }
  return sum;
}

DVec3 attraction_sum(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                     double softening_squared) {
  const double* sx = masses.x.data();
  const double* sy = masses.y.data();
  const double* sz = masses.z.data();
  const double* sm = masses.mass.data();
  double ax = 0.0, ay = 0.0, az = 0.0;
#pragma omp simd reduction(+ : ax, ay, az)
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const double dx = sx[j] - x.x, dy = sy[j] - x.y, dz = sz[j] - x.z;
    const double r2 = far_if_zero(dx * dx + dy * dy + dz * dz + softening_squared);
    const double weight = sm[j] / (r2 * std::sqrt(r2));
    ax += weight * dx;
    ay += weight * dy;
    az += weight * dz;
  }
  return {ax, ay, az};
}

double pair_sum(const ForceLaw& law, const ForceConstants& constants, const PointMasses& weights,
                GalaxyRange rows, GalaxyRange galaxy) {
  double sum = 0.0;
  for (std::size_t first = galaxy.first; first < rows.last; first += sources_per_pass) {
    for (std::size_t i = std::max(rows.first, first + 1); i < rows.last; ++i) {
      const GalaxyRange sources{first, std::min(first + sources_per_pass, i)};
      sum += weights.mass[i] * law.potential(weights, sources, weights.position(i), constants);
    }
  }
  return sum;
}

}  // namespace orrery::sim
