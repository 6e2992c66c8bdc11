#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "sim/core/vec3.h"

namespace orrery::sim::checks {

struct Mass {
  DVec3 place;
  double mass = 0.0;
};

inline DVec3 direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const DVec3 v{normal(random), normal(random), normal(random)};
  return v * (1.0 / norm(v));
}

/// x_i x_j x_k of a place without traces: xxx, xxy, xxz, xyy, xyz, yyy, yyz, each less a fifth of
/// ([ij] x_k + [ik] x_j + [jk] x_i) |x|^2.
inline std::array<double, 7> traceless_third(const DVec3& d) {
  const double fifth = dot(d, d) / 5.0;
  return {d.x * (d.x * d.x - 3.0 * fifth), d.y * (d.x * d.x - fifth), d.z * (d.x * d.x - fifth),
          d.x * (d.y * d.y - fifth),       d.x * d.y * d.z,           d.y * (d.y * d.y - 3.0 * fifth),
          d.z * (d.y * d.y - fifth)};
}

/// A cell of few bodies without any symmetry, about its centre of mass.
class LopsidedCell {
 public:
  LopsidedCell() {
    std::mt19937 random(11);
    DVec3 first;
    double mass = 0.0;
    for (int k = 0; k < 5; ++k) {
      bodies_.push_back({direction(random) * (0.4 + 0.15 * k), 0.5 + 0.2 * k});
      first += bodies_.back().place * bodies_.back().mass;
      mass += bodies_.back().mass;
    }
    for (auto& body : bodies_) body.place -= first * (1.0 / mass);
  }

  DVec3 pull(const DVec3& x) const {
    DVec3 sum;
    for (const auto& body : bodies_) {
      const DVec3 d = body.place - x;
      sum += d * (body.mass * std::pow(dot(d, d), -1.5));
    }
    return sum;
  }
  /// Mass, second moments, and third ones without traces.
  std::array<double, 14> numbers() const {
    std::array<double, 14> sum = {};
    for (const auto& [d, m] : bodies_) {
      const std::array<double, 7> even{1.0, d.x * d.x, d.x * d.y, d.x * d.z, d.y * d.y, d.y * d.z, d.z * d.z};
      const auto odd = traceless_third(d);
      for (std::size_t k = 0; k < 7; ++k) sum[k] += m * even[k], sum[7 + k] += m * odd[k];
    }
    return sum;
  }

 private:
  std::vector<Mass> bodies_;
};

}  // namespace orrery::sim::checks
