#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The accelerations that an engine computed for a few bodies, with everything needed to check them: the
/// positions of all bodies at that very force evaluation, and velocities and charges if the law uses them.
/// Owns its data, so that it can be checked elsewhere.
struct ForceSample {
  std::vector<Vec3> position;  ///< of all bodies
  std::vector<float> mass;     ///< of all bodies
  std::vector<GalaxyRange> galaxies;
  Physics physics = {.softening = 0.0};
  std::vector<std::size_t> index;   ///< the sampled bodies
  std::vector<Vec3> acceleration;   ///< what the engine computed for them
  double time = 0.0;                ///< simulated time of the evaluation
  std::vector<Vec3> velocity = {};  ///< of all bodies, for laws that use charges
  std::vector<float> charge = {};

  ForceState state() const { return {position, velocity, mass, charge}; }
};

/// Relative force errors |a - a64| / |a64| over the sampled bodies. Non-finite accelerations count as an
/// infinite error. Bodies whose reference is 0 (a lone body) count as error 0 if the engine says 0 too.
struct ForceError {
  std::size_t sample = 0;
  double median = 0.0;
  double p99 = 0.0;
  double maximum = 0.0;
};

/// The acceleration of body i by direct summation in double precision, as its force law says.
DVec3 reference_acceleration(const ForceSample& sample, std::size_t i);

/// Compares a sample with the double-precision reference.
ForceError force_error(const ForceSample& sample);

/// `count` different indices below `size` (all of them if size <= count), ascending, drawn with `seed`.
std::vector<std::size_t> sample_indices(std::size_t size, std::size_t count, std::uint64_t seed);

}  // namespace orrery::sim
