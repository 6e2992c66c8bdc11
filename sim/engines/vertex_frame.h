#pragma once

#include <cstddef>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Conversion from an engine's numbers to displayed ones. In a target's two arrays (VertexTarget) each float
/// is multiplied by the factor of its kind, then `place` is added to positions and `motion` to velocities, in
/// double precision. The device code has the same structure (sim/cuda/device/vertices.cu).
struct VertexFrame {
  double length = 1.0;
  double mass = 1.0;
  double velocity = 1.0;
  double square = 1.0;  ///< factor of squared accelerations
  DVec3 place = {};
  DVec3 motion = {};
};

/// Converts bodies in host memory.
void reframe(const VertexFrame& frame, float* position, float* velocity, std::size_t bodies);

}  // namespace orrery::sim
