#pragma once

#include "sim/scene/scene.h"

namespace orrery::sim {

/// Factors for the numbers of a scene; that of times is length / velocity.
struct UnitScales {
  double mass = 1.0;
  double length = 1.0;
  double velocity = 1.0;
};

/// The scene in other units: bodies, time, and the physics with them, so that it moves as before. With the
/// factors M, L, V: G takes L V^2 / M, softening L, time and time step L / V, K_E M V^2 L, K_M M L. Charges
/// stay. Says so in the notes. Throws Error if a number leaves single precision; the scene is then undefined.
void scale_units(Scene& scene, const UnitScales& scales);

/// Scales time, physics, units and radii of a scene whose bodies are scaled already; adds no note.
void scale_meaning(Scene& scene, const UnitScales& scales);

/// The scales after which G is 1 where lengths and velocities stay: masses are multiplied by G, as the
/// ECE1782 report does with Tipsy files.
UnitScales scales_to_unit_gravity(const Scene& scene);

}  // namespace orrery::sim
