#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/scene/physical_units.h"

namespace orrery::sim {

struct Scene;  // sim/scene/scene.h

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
