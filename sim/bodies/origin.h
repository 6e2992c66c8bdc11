#pragma once

#include <span>

#include "sim/bodies/bodies.h"

// Where positions count from. A galaxy of size 1 at a distance of 1e5 has lost five of the seven digits of
// single precision before it moves, so its positions count from a place within it.
namespace orrery::sim {

/// The region of most bodies: the median position, and the radius about it that contains half of the bodies
/// (if that is 0, all). Relative to Bodies::origin. Looks at some thousand positions at most.
struct BodySpread {
  DVec3 centre;
  double radius = 0.0;
};
BodySpread spread_of(std::span<const Vec3> position);

/// The place from which positions of these bodies should count: along each axis on which the bodies are 16 or
/// more radii away from 0 a round number near their centre, else 0. Their origin must be 0.
DVec3 wanted_origin(const Bodies& bodies);

/// x, counted from `origin`, rounded to single precision only now.
inline Vec3 counted_from(const DVec3& origin, const DVec3& x) { return static_cast<Vec3>(x - origin); }
/// The position of body `i` relative to 0.
inline DVec3 absolute_place(const Bodies& bodies, std::size_t i) {
  return bodies.origin + static_cast<DVec3>(bodies.position[i]);
}

/// Positions count from `origin` from now on, rounded to single precision.
void set_origin(Bodies& bodies, const DVec3& origin);
/// True if set_origin and back gives these positions, whose origin is 0, back bit for bit.
bool keeps_bits(std::span<const Vec3> position, const DVec3& origin);
/// True if these bodies, counted from 0 again, are those of `rounded` to the last bit of single precision or
/// the one before.
bool agrees(const Bodies& bodies, const Bodies& rounded);

}  // namespace orrery::sim
