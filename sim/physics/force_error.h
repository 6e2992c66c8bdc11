#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/bodies.h"
#include "sim/vec3.h"

namespace orrery::sim {

/// The accelerations that an engine computed for a few bodies, with everything needed to check them: the
/// positions of all bodies at that very force evaluation. Owns its data, so that it can be checked elsewhere.
struct ForceSample {
  std::vector<Vec3> position;  ///< of all bodies
  std::vector<float> mass;     ///< of all bodies
  std::vector<GalaxyRange> galaxies;
  double gravitational_constant = 1.0;
  double softening = 0.0;
  std::vector<std::size_t> index;  ///< the sampled bodies
  std::vector<Vec3> acceleration;  ///< what the engine computed for them
  double time = 0.0;               ///< simulated time of the evaluation
};

/// Relative force errors |a - a64| / |a64| over the sampled bodies. Non-finite accelerations count as an
/// infinite error. Bodies whose reference is 0 (a lone body) count as error 0 if the engine says 0 too.
struct ForceError {
  std::size_t sample = 0;
  double median = 0.0;
  double p99 = 0.0;
  double maximum = 0.0;
};

/// The softened acceleration of body i by direct summation in double precision:
/// a_i = G sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2), pairs at zero softened distance left out.
DVec3 reference_acceleration(const ForceSample& sample, std::size_t i);

/// Compares a sample with the double-precision reference.
ForceError force_error(const ForceSample& sample);

/// `count` different indices below `size` (all of them if size <= count), ascending, drawn with `seed`.
std::vector<std::size_t> sample_indices(std::size_t size, std::size_t count, std::uint64_t seed);

}  // namespace orrery::sim
