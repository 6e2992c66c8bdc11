#include "sim/snapshots/amuse_units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace orrery::sim {

namespace {

struct System {
  double below;  ///< meters
  double length, mass, time;
  const char* name;
};

}  // namespace

double UnitChoice::factor(const AmuseUnit& unit) const {
  return unit.factor /
         (std::pow(length, unit.powers[0]) * std::pow(mass, unit.powers[1]) * std::pow(time, unit.powers[2]));
}

UnitChoice choose_units(const AmuseUnit& length, double reach) {
  if (length.system == "generic" || length.system == "nbody")
    return {.gravity = 1.0, .source = "N-body units", .note = "units of the file: N-body units, G = 1"};
  if (length.system != "S.I.") return {.source = "without units"};
  constexpr double gravity = 6.6743e-11;  // CODATA 2018
  constexpr double pc = 3.0856775814913673e16, sun = 1.98841e30, au = 149597870700.0;
  constexpr double year = 365.25 * 86400.0;
  constexpr std::array systems{
      System{1e15, au, sun, year, "AU, years and solar masses"},
      System{1e19, pc, sun, pc / 1e3, "pc, km/s and solar masses"},
      System{HUGE_VAL, 1e3 * pc, 1e10 * sun, pc, "kpc, km/s and 10^10 solar masses"},
  };
  const auto& chosen = reach < systems[0].below   ? systems[0]
                       : reach < systems[1].below ? systems[1]
                                                  : systems[2];
  return {.length = chosen.length,
          .mass = chosen.mass,
          .time = chosen.time,
          .gravity = gravity * chosen.mass * chosen.time * chosen.time /
                     (chosen.length * chosen.length * chosen.length),
          .is_physical = true,
          .source = "SI units",
          .note = fmt::format("the file's SI units were changed to {}", chosen.name)};
}

}  // namespace orrery::sim
