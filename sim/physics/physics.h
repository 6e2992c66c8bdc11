#pragma once

#include <string>

#include "sim/physics/force_law.h"
#include "sim/physics/integrator.h"

namespace orrery::sim {

/// Everything that decides how bodies move, in the units of their scene. Scenes, configurations, engines,
/// checks and files hand it on as a whole, so that no part of it can be left behind.
struct Physics {
  double gravitational_constant = 1.0;  ///< G, length^3 / (mass time^2)
  double softening = 0.05;              ///< epsilon, length
  double time_step = 0.01;              ///< dt, time; negative goes back
  const ForceLaw* law = &gravity_law;
  double coulomb = 1.0;   ///< K_E, force length^2 / charge^2
  double magnetic = 0.1;  ///< K_M, force time^2 / charge^2
  const Integrator* integrator = &leapfrog;
  int dimensions = 3;  ///< 2: the bodies stay in the plane z = 0

  /// What the force law reads.
  ForceConstants constants() const {
    return {gravitational_constant, coulomb, magnetic, softening * softening};
  }
  /// True if accelerations computed with `other` are right with these too: the step makes no difference.
  bool same_forces(const Physics& other) const;
  friend bool operator==(const Physics&, const Physics&) = default;
};

/// Calls visit(name, value) for every member of a Physics, with the name of its option, which is also its
/// name in files. What is added above belongs in here, and goes everywhere from here.
template <typename AnyPhysics, typename Visit>
void for_each_value(AnyPhysics& physics, const Visit& visit) {
  visit("gravity", physics.gravitational_constant);
  visit("softening", physics.softening);
  visit("time-step", physics.time_step);
  visit("force-law", physics.law);
  visit("coulomb", physics.coulomb);
  visit("magnetic", physics.magnetic);
  visit("integrator", physics.integrator);
  visit("dimensions", physics.dimensions);
}

/// Why no engine can compute with it ("softening is not a number from 0 on"); empty if one can.
std::string problem_of(const Physics& physics);

}  // namespace orrery::sim
