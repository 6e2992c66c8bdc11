#pragma once

#include <string>
#include <string_view>

namespace orrery::sim {

/// The physical units of a scene's numbers, where they are stated.
struct PhysicalUnits {
  double length = 0.0;  ///< metres of a length of 1; 0: not known
  double time = 0.0;    ///< seconds of a time of 1; 0: not known
  double mass = 0.0;    ///< kilograms of a mass of 1; 0: not known

  friend bool operator==(const PhysicalUnits&, const PhysicalUnits&) = default;
};

/// `what(name, value)` of each, under the names by which files keep them.
template <typename Units, typename What>
void for_each_unit(Units& units, const What& what) {
  what("meters-of-length", units.length);
  what("seconds-of-time", units.time);
  what("kilograms-of-mass", units.mass);
}

/// Metres: IAU 2012, resolution B2, and 2015, resolution B2. A Julian year in seconds.
inline constexpr double meters_of_au = 1.495978707e11;
inline constexpr double meters_of_parsec = 3.0856775814913673e16;
inline constexpr double seconds_of_year = 365.25 * 86400.0;
/// The IAU's nominal GM of the Sun (2015, resolution B3) over CODATA 2018's G.
inline constexpr double kilograms_of_sun = 1.3271244e20 / 6.6743e-11;

/// The unit of that name, in metres ("m", "km", "AU", "pc", "kpc", "Mpc", "Gpc") or in seconds ("s", "h",
/// "d", "yr", "kyr", "Myr", "Gyr"); 0: there is none.
double length_unit(std::string_view name);
double time_unit(std::string_view name);

/// A unit in which people read a quantity: its value is the scene's number times `factor`.
struct Measure {
  double factor = 1.0;
  std::string_view name = {};  ///< "kpc"; empty: the scene's units are not known
};

/// Names of the units in which lengths of about `length` are shown (in the scene's units, its sign does not
/// matter), times of about `time`, and velocities (km/s).
Measure length_measure(double length, const PhysicalUnits& units);
Measure time_measure(double time, const PhysicalUnits& units);
Measure velocity_measure(const PhysicalUnits& units);

/// A length and its text.
struct NamedLength {
  double length = 0.0;  ///< length in the scene's units
  std::string text;     ///< "5 kpc", "200 000 km"; "5 length units" where the units are not known
};

/// The longest length of 1, 2 or 5 times a power of ten that is not above `longest`, which is positive,
/// finite and in the scene's units. Round is the number in the text.
NamedLength round_length(double longest, const PhysicalUnits& units);

/// "t = 1.25 Gyr", "time 12.5" where the units are not known.
std::string time_text(double time, const PhysicalUnits& units);

}  // namespace orrery::sim
