#pragma once

#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

/// The bodies of each galaxy that exert forces: all but those after the last one with mass (or charge, as
/// the law has it). Bodies without are tracers: they are moved and nobody feels them, so sums end before
/// them. At least one body a galaxy, whose weight may be 0, so that no sum is empty.
std::vector<GalaxyRange> sources_of(std::span<const GalaxyRange> galaxies, const ForceState& state,
                                    const ForceLaw& law);

/// An order of the bodies in which those without mass and charge come after the others of their galaxy, and
/// how many these are. Both keep their order.
struct TracersLast {
  std::vector<std::size_t> order;
  std::size_t tracers = 0;
};
TracersLast tracers_last(const Bodies& bodies);

/// Ordered pairs of a body and a source of its galaxy: what a kernel sums that leaves nothing out.
double interactions_of(std::span<const GalaxyRange> galaxies, std::span<const GalaxyRange> sources);

/// Puts bodies without mass and charge after the others of their galaxy, where sources_of leaves them out;
/// both keep their order, and ids stay with them. Returns how many there are.
std::size_t put_tracers_last(Bodies& bodies);

}  // namespace orrery::sim
