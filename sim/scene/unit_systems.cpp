#include "sim/scene/unit_systems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"

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

/// Velocities in km/s.
constexpr PhysicalUnits with_km_per_s(double length, double mass) { return {length, length / 1e3, mass}; }

// G of CODATA 2018; that of the Sun's mass after the IAU's nominal GM (2015, resolution B3).
constexpr std::array known_systems{
    UnitSystem{"nbody", "G = 1", 1.0, {}},
    UnitSystem{"gadget", "kpc, km/s, 10^10 solar masses", 43007.1,
               with_km_per_s(1e3 * meters_of_parsec, 1e10 * kilograms_of_sun)},
    UnitSystem{"kpc", "kpc, km/s, solar masses", 4.30091e-6,
               with_km_per_s(1e3 * meters_of_parsec, kilograms_of_sun)},
    UnitSystem{"pc", "pc, km/s, solar masses", 4.30091e-3, with_km_per_s(meters_of_parsec, kilograms_of_sun)},
    UnitSystem{
        "au-yr", "AU, years, solar masses", 39.4769, {meters_of_au, seconds_of_year, kilograms_of_sun}},
    UnitSystem{"au-d", "AU, days, solar masses", 2.959122e-4, {meters_of_au, 86400.0, kilograms_of_sun}},
    UnitSystem{"si", "SI units", 6.6743e-11, {1.0, 1.0, 1.0}},
    UnitSystem{"km", "km, km/s, kg", 6.6743e-20, {1e3, 1.0, 1.0}},
    UnitSystem{"kg-au-d", "AU, days, kg", 1.488185e-34, {meters_of_au, 86400.0, 1.0}},
};

std::string number_of(double size, std::string_view name) {
  return std::abs(size - 1.0) < 1e-9 ? std::string(name) : fmt::format("{:.4g} {}", size, name);
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

std::span<const UnitSystem> unit_systems() { return known_systems; }

const UnitSystem* find_unit_system(std::string_view name) {
  const auto found = std::ranges::find(known_systems, name, &UnitSystem::name);
  return found == known_systems.end() ? nullptr : &*found;
}

const UnitSystem& unit_system_named(std::string_view name) {
  if (const auto* const system = find_unit_system(name)) return *system;
  std::vector<std::string> names;
  for (const auto& system : known_systems) names.emplace_back(system.name);
  throw UsageError(fmt::format("there are no units '{}' (choose one of {}){}", printable(name),
                               fmt::join(names, ", "), did_you_mean(name, names)));
}

const UnitSystem* unit_system_of(const Scene& scene) {
  const auto found = std::ranges::find_if(known_systems, [&](const UnitSystem& system) {
    return system.gravitational_constant == scene.physics.gravitational_constant &&
           system.units == scene.units;
  });
  return found == known_systems.end() ? nullptr : &*found;
}

const UnitSystem& nearest_to_equilibrium(double ratio, const PhysicalUnits& known) {
  const auto is_near = [](double stated, double unit) {
    return stated == 0.0 || std::abs(unit / stated - 1.0) < 0.01;
  };
  const auto fits = [&](const UnitSystem& system) {
    return is_near(known.length, system.units.length) && is_near(known.time, system.units.time) &&
           is_near(known.mass, system.units.mass);
  };
  const auto distance = [&](const UnitSystem& system) {
    return fits(system) ? std::abs(std::log(ratio / system.gravitational_constant)) : INFINITY;
  };
  return *std::ranges::min_element(known_systems, {}, distance);
}

const UnitSystem* only_bound(double ratio) {
  constexpr double least = 0.3, most = 2.0, certainly_not = 1e3;
  if (!(ratio > certainly_not || ratio < 1.0 / certainly_not)) return nullptr;
  const UnitSystem* only = nullptr;
  for (const auto& system : known_systems) {
    const double there = ratio / system.gravitational_constant;
    if (!(there >= least && there <= most)) continue;
    if (only != nullptr) return nullptr;
    only = &system;
  }
  return only;
}

void state_units(Scene& scene, const UnitSystem& system) {
  scene.physics.gravitational_constant = system.gravitational_constant;
  scene.units = system.units;
  scene.states_gravity = true;
}

std::string units_text(const PhysicalUnits& units) {
  std::vector<std::string> parts;
  if (units.length > 0.0) {
    const auto length = length_measure(1.0, units);
    parts.push_back("lengths in " + number_of(length.factor, length.name));
  }
  if (units.time > 0.0) {
    const auto time = time_measure(1.0, units);
    parts.push_back("times in " + number_of(time.factor, time.name));
  }
  if (units.mass > 0.0) {
    const bool stellar = units.mass > 1e-3 * kilograms_of_sun;
    parts.push_back("masses in " + (stellar ? number_of(units.mass / kilograms_of_sun, "solar masses")
                                            : number_of(units.mass, "kg")));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace orrery::sim
