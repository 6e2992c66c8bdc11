#include "sim/physics/diagnostics/surroundings.h"

#include <cmath>

namespace orrery::sim {

namespace {

DVec3 triple(std::span<const float> values, std::size_t body) {
  return {values[4 * body], values[4 * body + 1], values[4 * body + 2]};
}

}  // namespace

Surroundings surroundings_of(std::size_t body, GalaxyRange galaxy, std::span<const float> position,
                             const Physics& physics) {
  const DVec3 place = triple(position, body);
  const double softening_squared = physics.softening * physics.softening;
  Surroundings result{.center = place};
  DVec3 moment;
  double mass = 0.0, sum = 0.0;
  for (std::size_t j = galaxy.first; j < galaxy.last; ++j) {
    const double m = position[4 * j + 3];
    const DVec3 x = triple(position, j);
    mass += m;
    moment += x * m;
    const DVec3 apart = x - place;
    const double squared = apart.x * apart.x + apart.y * apart.y + apart.z * apart.z + softening_squared;
    if (j != body && squared > 0.0) sum += m / std::sqrt(squared);
  }
  result.potential = -physics.gravitational_constant * sum;
  if (mass > 0.0) result.center = moment * (1.0 / mass);
  return result;
}

}  // namespace orrery::sim
