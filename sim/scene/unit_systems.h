#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/scene/physical_units.h"
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

/// Units in which snapshots are commonly written.
struct UnitSystem {
  std::string_view name;     ///< as in --units NAME
  std::string_view meaning;  ///< description for people: "kpc, km/s, solar masses"
  double gravitational_constant;
  PhysicalUnits units;
};

/// All unit systems; G = 1 first.
std::span<const UnitSystem> unit_systems();
/// The one of that name, or nullptr.
const UnitSystem* find_unit_system(std::string_view name);
/// The unit system of that name. Throws UsageError with the names that exist.
const UnitSystem& unit_system_named(std::string_view name);
/// The one with the G and the units of the scene, or nullptr.
const UnitSystem* unit_system_of(const Scene& scene);

/// The system in which 2T/|W| comes nearest to 1, its value in equilibrium. `ratio`: 2T/|W| with G = 1, to
/// which it is in inverse proportion. What `known` says of the units, if anything, they must fit: if none
/// does, it is G = 1.
const UnitSystem& nearest_to_equilibrium(double ratio, const PhysicalUnits& known = {});

/// The only system in which bodies are bound and near equilibrium (2T/|W| of 0.3 to 2), where that is off by
/// more than 1000 with G = 1; or nullptr. `ratio`: 2T/|W| with G = 1.
const UnitSystem* only_bound(double ratio);

/// Says that the numbers of the scene are in these units: G, and what they stand for. No number changes.
void state_units(Scene& scene, const UnitSystem& system);

/// "lengths in kpc, times in 978 Myr, masses in 1e+10 solar masses"; empty where nothing is known.
std::string units_text(const PhysicalUnits& units);

}  // namespace orrery::sim
