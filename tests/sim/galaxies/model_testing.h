#pragma once

#include "sim/galaxies/model.h"
#include "sim/physics/diagnostics/diagnostics.h"

namespace orrery::sim {

/// The diagnostics of a scene with its own G and softening.
inline Diagnostics diagnose_scene(const Scene& scene) {
  const auto galaxies = scene.bodies.galaxies();
  DiagnosticsRequest request;
  request.physics.gravitational_constant = scene.physics.gravitational_constant;
  request.physics.softening = scene.physics.softening;
  return diagnose(view_of(scene.bodies, galaxies), request);
}

}  // namespace orrery::sim
