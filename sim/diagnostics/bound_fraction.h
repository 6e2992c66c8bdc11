#pragma once

#include <cstddef>

#include "sim/diagnostics/centered_state.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The share of the mass whose energy v^2 / 2 + phi is below 0, with velocities relative to the centre's and
/// the softened potential of all others, phi = -G sum m / sqrt(r^2 + eps^2). Of more than `most` bodies every
/// n-th is looked at. 0 without bodies. About N `most` operations.
double bound_fraction(const CenteredState& state, const Physics& physics, std::size_t most = 1'000);

}  // namespace orrery::sim
