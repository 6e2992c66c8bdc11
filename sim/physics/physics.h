#pragma once

#include <string>

#include "sim/physics/fields/external_field.h"
#include "sim/physics/integrators/integrator.h"
#include "sim/physics/integrators/step_rule.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim {

/// The largest that can be chosen, and computed with in single precision.
inline constexpr double largest_softening = 1e19;
inline constexpr double largest_time_step = 1e30;

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
  /// A fixed potential, which acts on all bodies besides their own forces.
  const ExternalField* field = &none_field;
  double field_mass = 1.0;        ///< M
  double field_speed = 1.0;       ///< v0, length / time
  double field_radius = 1.0;      ///< a, length
  double field_height = 0.1;      ///< b, length
  double field_flattening = 1.0;  ///< q, of the potential along z
  double field_x = 0.0;           ///< the place of its centre, length
  double field_y = 0.0;
  double field_z = 0.0;
  const StepRule* step = &fixed_step;  ///< division of a step of dt into parts
  double step_accuracy = 0.2;          ///< eta of adaptive parts
  double step_length = 0.0;            ///< l of adaptive parts, length; 0: the softening

  /// The constants of the force law.
  ForceConstants constants() const {
    return {gravitational_constant, coulomb, magnetic, softening * softening};
  }
  /// The position and parameters of the external field.
  FieldAt field_at() const {
    return {field,
            {gravitational_constant * field_mass,
             field_speed * field_speed,
             field_radius,
             field_height,
             field_flattening,
             {field_x, field_y, field_z}}};
  }
  /// The criterion of an adaptive step.
  StepCriterion step_criterion() const {
    return {step_accuracy, step_length > 0.0 ? step_length : softening};
  }
  /// True if accelerations computed with `other` are right with these too: the step makes no difference.
  bool same_forces(const Physics& other) const;
  friend bool operator==(const Physics&, const Physics&) = default;
};

/// Calls visit(name, value) for every member of a Physics, with its name in files. The same name has its
/// option; numbers of a law, a rule or a field stand in the value of the option that chooses these. What is
/// added above belongs in here, and goes everywhere from here.
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
  visit("external-field", physics.field);
  visit("field-mass", physics.field_mass);
  visit("field-speed", physics.field_speed);
  visit("field-radius", physics.field_radius);
  visit("field-height", physics.field_height);
  visit("field-flattening", physics.field_flattening);
  visit("field-x", physics.field_x);
  visit("field-y", physics.field_y);
  visit("field-z", physics.field_z);
  visit("step", physics.step);
  visit("step-accuracy", physics.step_accuracy);
  visit("step-length", physics.step_length);
}

/// Why no engine can compute with this physics ("softening is not a number from 0 on"); empty if one can.
std::string problem_of(const Physics& physics);

}  // namespace orrery::sim
