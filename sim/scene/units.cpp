#include "sim/scene/units.h"

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/scene/finite.h"

namespace orrery::sim {

namespace {

Vec3 scaled(const Vec3& v, double factor) {
  return {static_cast<float>(v.x * factor), static_cast<float>(v.y * factor),
          static_cast<float>(v.z * factor)};
}

/// Throws Error for a mass that becomes 0.
float scaled_mass(float mass, double factor) {
  const auto scaled = static_cast<float>(mass * factor);
  if (mass > 0.0F && scaled == 0.0F)
    throw Error(
        fmt::format("in the new units the mass {:g} is too small for single precision; choose other "
                    "scales",
                    mass));
  return scaled;
}

void scale_bodies(Bodies& bodies, const UnitScales& scales) {
  for (auto& x : bodies.position) x = scaled(x, scales.length);
  bodies.origin *= scales.length;
  for (auto& v : bodies.velocity) v = scaled(v, scales.velocity);
  for (auto& m : bodies.mass) m = scaled_mass(m, scales.mass);
}

void scale_physics(Physics& physics, const UnitScales& scales) {
  const auto [mass, length, velocity] = scales;
  physics.gravitational_constant *= length * velocity * velocity / mass;
  physics.softening *= length;
  physics.step_length *= length;
  physics.time_step *= length / velocity;
  physics.coulomb *= mass * velocity * velocity * length;
  physics.magnetic *= mass * length;
  physics.field_mass *= mass;
  physics.field_speed *= velocity;
  for (double* const of_field :
       {&physics.field_radius, &physics.field_height, &physics.field_x, &physics.field_y, &physics.field_z})
    *of_field *= length;
}

}  // namespace

void scale_meaning(Scene& scene, const UnitScales& scales) {
  scale_physics(scene.physics, scales);
  scene.time *= scales.length / scales.velocity;
  scene.speed *= scales.length / scales.velocity;
  scene.units.length /= scales.length;
  scene.units.mass /= scales.mass;
  scene.units.time /= scales.length / scales.velocity;
  for (auto& radius : scene.radii) radius *= scales.length;
}

void scale_units(Scene& scene, const UnitScales& scales) {
  if (scales.mass == 1.0 && scales.length == 1.0 && scales.velocity == 1.0) return;
  scale_bodies(scene.bodies, scales);
  scale_meaning(scene, scales);
  if (const auto bad = first_not_finite(scene.bodies); !bad.empty())
    throw Error(
        fmt::format("in the new units {} is not finite in single precision; choose other scales", bad));
  if (const auto problem = problem_of(scene.physics); !problem.empty())
    throw Error(fmt::format("in the new units the {}; choose other scales", problem));
  scene.notes.push_back(
      fmt::format("units: masses times {:.9g}, lengths times {:.9g}, velocities times {:.9g}; G is {:.6g}",
                  scales.mass, scales.length, scales.velocity, scene.physics.gravitational_constant));
}

UnitScales scales_to_unit_gravity(const Scene& scene) {
  return {.mass = scene.physics.gravitational_constant};
}

}  // namespace orrery::sim
