#pragma once

#include <cstddef>
#include <span>

#include "sim/physics/diagnostics/diagnostics_request.h"

namespace orrery::sim {

/// W estimated from bodies drawn by the potential that a spherical galaxy would have where they are; bodies
/// that couple strongly are all summed.
struct SampledPotential {
  double potential = 0.0;
  double uncertainty = 0.0;  ///< one standard error
  std::size_t drawn = 0;     ///< bodies of the sample
};

/// `centers`: one for each galaxy. Takes 48 bytes for each ranked body. The same bits for any number of
/// threads. Throws Cancelled.
SampledPotential sampled_potential(const StateView& state, std::span<const DVec3> centers,
                                   const DiagnosticsRequest& request);

}  // namespace orrery::sim
