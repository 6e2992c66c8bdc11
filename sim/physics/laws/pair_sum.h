#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

/// Point masses in double precision, one array per coordinate so that sums over them vectorize.
struct PointMasses {
  std::vector<double> x, y, z, mass;

  PointMasses() = default;
  /// Copies; both spans have one length.
  PointMasses(std::span<const Vec3> positions, std::span<const float> masses);
  std::size_t size() const { return x.size(); }
  DVec3 position(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

/// sum_j m_j / sqrt(|x_j - x|^2 + eps^2) over the sources j in `sources`, where `softening_squared` is eps^2.
/// Sources at zero softened distance are left out.
double inverse_distance_sum(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                            double softening_squared);

/// sum_j m_j (x_j - x) / (|x_j - x|^2 + eps^2)^(3/2) over the sources j in `sources`; sources at zero
/// softened distance are left out. Times G this is the acceleration at x.
DVec3 attraction_sum(const PointMasses& masses, GalaxyRange sources, const DVec3& x,
                     double softening_squared);

/// sum_i sum_{j<i} w_i w_j phi(r_ij) of `law` for i in `rows` and j from the start of `galaxy`, which
/// contains the rows.
double pair_sum(const ForceLaw& law, const ForceConstants& constants, const PointMasses& weights,
                GalaxyRange rows, GalaxyRange galaxy);

}  // namespace orrery::sim
