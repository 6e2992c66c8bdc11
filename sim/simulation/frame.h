#pragma once

#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/physics/physics.h"

// The units in which engines compute. Datasets come in any: in SI units a body has 2e30 kg and stands 1e17 m
// away, and the cube of a distance, or a mass over it, leaves single precision.
namespace orrery::sim {

/// Factors for the numbers of a dataset inside an engine: powers of two, so that nothing is rounded
/// on the way there and back. Times are multiplied by length / velocity.
struct Frame {
  double mass = 1.0;
  double length = 1.0;
  double velocity = 1.0;
  double charge = 1.0;

  double time() const { return length / velocity; }
  double acceleration() const { return velocity * velocity / length; }
  Frame inverse() const { return {1.0 / mass, 1.0 / length, 1.0 / velocity, 1.0 / charge}; }
  /// True if nothing is multiplied.
  bool plain() const { return *this == Frame{}; }
  friend bool operator==(const Frame&, const Frame&) = default;
};

/// The frame in which the size of these bodies (the radius about their median place that holds half of them),
/// their mass and their speed are near 1. Of bodies whose numbers leave single precision room on all sides
/// the plain one: they keep their bits, and are drawn in place. `gravitational_constant` counts where nothing
/// moves. Looks at some thousand bodies at most.
Frame frame_of(const Bodies& bodies, double gravitational_constant);

/// The velocity that bodies have in common, along each axis on which it is 256 or more times what they differ
/// by (the radius of half of them in the space of velocities), else 0. Single precision then has no digits
/// left for what goes on within, and none for a kick. A round number: taken off and put back, every velocity
/// has its bits again; where one has not, 0.
DVec3 common_velocity(const Bodies& bodies);
/// Places and velocities as seen from a place that moves: counted from `place`, which has the
/// velocity `of_place`. Rounded to single precision.
void see_from(std::vector<Vec3>& position, std::vector<Vec3>& velocity, const DVec3& place,
              const DVec3& of_place);

/// Every component times `factor`.
Vec3 rescaled(const Vec3& v, double factor);
/// Positions, velocities, masses and charges.
void scale_state(Bodies& bodies, const Frame& frame);
/// The physics with everything that has a unit converted, so that the bodies move as before.
Physics in_frame(Physics physics, const Frame& frame);

}  // namespace orrery::sim
