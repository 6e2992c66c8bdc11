#pragma once

#include <glm/glm.hpp>
#include <vector>

namespace orrery::app {

/// The turn around `spin`, in degrees, for towards(View::fit, ...), from which the positions cover most of
/// the picture: galaxies whose disks lie in different planes are then seen from their open sides, and beside
/// each other. 0 unless another turn, of twelve, shows clearly more. `radius` around `center` holds half of
/// the positions.
double open_turn(const std::vector<glm::dvec3>& places, glm::dvec3 center, glm::dvec3 spin, double radius);

}  // namespace orrery::app
