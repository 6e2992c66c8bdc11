#pragma once

#include <span>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

/// The median of each coordinate of the bodies in `range`, weighted by mass: unlike the mean, a far body does
/// not move it. Bodies without mass or place do not count; without any other the origin.
DVec3 median_center(std::span<const Vec3> position, std::span<const float> mass, const GalaxyRange& range);

/// The distance of a position from a centre; infinite where a coordinate is no number.
double distance_from(const DVec3& center, const Vec3& position);

}  // namespace orrery::sim
