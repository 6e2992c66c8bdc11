#pragma once

#include "sim/physics/diagnostics/diagnostics_request.h"

namespace orrery::sim {

/// W by trees, one for each galaxy.
struct TreeEnergy {
  double potential = 0.0;
  /// One standard error, measured: at 64 bodies of each galaxy, drawn by mass, the potential is summed over
  /// all others. The mean of the differences and its scatter, summed in quadrature.
  double uncertainty = 0.0;
};

/// False for laws other than gravity, where a place is no number, or a mass is below 0.
bool tree_knows(const StateView& state, const Physics& physics);

/// W and its error. About N log N operations, in double precision. The same bits for any number of threads.
/// Throws Cancelled.
TreeEnergy tree_energy(const StateView& state, const DiagnosticsRequest& request);

}  // namespace orrery::sim
