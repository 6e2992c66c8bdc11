#pragma once

#include <cstdint>
#include <span>

#include "sim/bodies/bodies.h"

namespace orrery::sim {

/// The bodies of a galaxy, of Bodies::galaxy. Empty, at the place where they would be, if there are none.
GalaxyRange bodies_of_galaxy(std::span<const std::uint32_t> galaxy, std::uint32_t number);

}  // namespace orrery::sim
