#include "sim/scene/unit_systems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/core/error.h"
#include "sim/core/message.h"
#include "sim/core/spelling.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

namespace {

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
