#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace orrery::sim {

/// A unit as AMUSE writes it in files: a number times powers of the base units of one system.
struct AmuseUnit {
  double factor = 1.0;
  std::array<int, 3> powers{};  ///< powers of length, mass and time
  std::string system;           ///< "S.I.", "generic" (N-body units); empty: a bare number
};

/// Reads "(system.get('S.I.').base('length') * (system.get('S.I.').base('time')**-1))" and the like;
/// products, quotients, whole powers and numbers. Nothing is evaluated: a text of any other kind gives
/// nothing.
std::optional<AmuseUnit> parse_amuse_unit(std::string_view text);

/// The units that a scene gets, in those of the file's system.
struct UnitChoice {
  double length = 1.0, mass = 1.0, time = 1.0;
  double gravity = 0.0;      ///< G in them; 0: unknown
  bool is_physical = false;  ///< units are these numbers of metres, kilograms and seconds
  std::string source;        ///< a few words
  std::string note;          ///< a line for people; empty: nothing was changed

  /// The factor for numbers in `unit`.
  double factor(const AmuseUnit& unit) const;
};

/// SI numbers become AU, years and solar masses, or pc or kpc, km/s and (10^10) solar masses, by the `reach`
/// of the bodies in meters: in kilograms and meters single precision overflows. Others stay as they are.
UnitChoice choose_units(const AmuseUnit& length, double reach);

}  // namespace orrery::sim
