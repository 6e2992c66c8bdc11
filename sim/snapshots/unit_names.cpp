#include "sim/snapshots/unit_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>

#include "sim/scene/scene.h"

namespace orrery::sim {

namespace {

struct CgsUnit {
  double cgs;
  std::string_view name;
};
constexpr std::array lengths{CgsUnit{3.0856776e24, "Mpc"}, CgsUnit{3.0856776e21, "kpc"},
                             CgsUnit{3.0856776e18, "pc"},  CgsUnit{1.495978707e13, "AU"},
                             CgsUnit{1e5, "km"},           CgsUnit{100.0, "m"}};
constexpr std::array masses{CgsUnit{1.98841e43, "10^10 solar masses"}, CgsUnit{1.98841e33, "solar masses"},
                            CgsUnit{1000.0, "kg"}};
constexpr std::array velocities{CgsUnit{1e5, "km/s"}, CgsUnit{100.0, "m/s"}};

std::string name_of(double value, std::span<const CgsUnit> names, std::string_view cgs) {
  // Codes have constants of their own: 1.989e33 and 1.98848e33 are both the Sun.
  const auto found =
      std::ranges::find_if(names, [&](const CgsUnit& n) { return std::abs(value / n.cgs - 1.0) < 2e-3; });
  return found != names.end() ? std::string(found->name) : fmt::format("{:.6g} {}", value, cgs);
}

}  // namespace

FileUnits units_for(const Scene& scene) {
  const auto& known = scene.units;
  if (known.length > 0.0 && known.time > 0.0 && known.mass > 0.0)
    return {100.0 * known.length, 1000.0 * known.mass, 100.0 * known.length / known.time};
  const double gravity = scene.physics.gravitational_constant;
  constexpr double cgs = 6.6743e-8;  // CODATA 2018
  constexpr double kpc = 3.0856775814913673e21, sun = 1.98841e33, au = 1.495978707e13;
  constexpr double day = 86400.0, year = 365.25 * day;
  constexpr std::array systems{FileUnits{kpc, 1e10 * sun, 1e5}, FileUnits{1e-3 * kpc, sun, 1e5},
                               FileUnits{au, sun, au / year}, FileUnits{au, sun, au / day},
                               FileUnits{100.0, 1000.0, 100.0}};
  const auto gravity_in = [](const FileUnits& units) {
    return cgs * units.mass / (units.length * units.velocity * units.velocity);
  };
  const auto found = std::ranges::find_if(
      systems, [&](const FileUnits& units) { return std::abs(gravity / gravity_in(units) - 1.0) < 2e-3; });
  if (found != systems.end()) return *found;
  return {kpc, gravity * kpc * 1e10 / cgs, 1e5};
}

std::string unit_names(const FileUnits& units, bool with_h) {
  return fmt::format("{}{}, {}{}, {}", name_of(units.length, lengths, "cm"), with_h ? "/h" : "",
                     name_of(units.mass, masses, "g"), with_h ? "/h" : "",
                     name_of(units.velocity, velocities, "cm/s"));
}

}  // namespace orrery::sim
