#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/mapped_file.h"
#include "sim/scene/scene.h"

// Units that files state in words: after column names ("x [kpc]", "mass_msun"), in TUNIT of FITS, in the
// attribute "unit" of VOTable, and in comments ("# units: kpc Msun km/s").
namespace orrery::sim {

/// The quantity that a unit measures.
enum class UnitKind : std::uint8_t { length, velocity, mass, time };

/// A unit in SI: metres, metres per second, kilograms or seconds.
struct NamedUnit {
  UnitKind kind = UnitKind::length;
  double si = 0.0;
};

/// Reads "kpc", "km/s", "km s-1", "km.s**-1", "10^10 Msun", "1e10 solMass", ...; empty if it is none of a
/// length, velocity, mass or time. Units with the Hubble parameter in them (kpc/h) are none.
std::optional<NamedUnit> parse_unit(std::string_view text);

/// A unit as AMUSE writes it in files: a number times powers of the base units of one system.
struct AmuseUnit {
  double factor = 1.0;
  std::array<int, 3> powers{};  ///< powers of length, mass and time
  std::string system;           ///< "S.I.", "generic" (N-body units); empty: a bare number
};

/// Reads "(system.get('S.I.').base('length') * (system.get('S.I.').base('time')**-1))" and the like;
/// products, quotients, whole powers, numbers, and names that parse_unit() knows. Nothing is evaluated: a
/// text of any other kind gives nothing.
std::optional<AmuseUnit> parse_amuse_unit(std::string_view text);

/// True for "", "-", "1", "dimensionless", "code_length" and the like: the file states no unit.
bool is_no_unit(std::string_view text);

/// A name and the unit that follows it: in brackets, after a slash, or after an underscore where it
/// is a unit of a kind that `kind_of` says for what stands before. `unit` is empty where there is none.
struct NameWithUnit {
  std::string_view name, unit;
};
NameWithUnit split_unit(std::string_view name, std::optional<UnitKind> (*kind_of)(std::string_view name));

/// True if the words say the word unit or units.
bool speaks_of_units(std::string_view words);
/// The units in a line that speaks of them: "units: kpc, km/s, Msun", "length unit = kpc". Empty: it says
/// none.
std::vector<NamedUnit> units_in_words(std::string_view words);
/// True for the fields of a line of units below one of names: all are units or say that there is none.
bool is_line_of_units(const std::vector<std::string_view>& fields);

/// Units of a file in cgs; 0: not stated.
struct FileUnits {
  double length = 0.0, mass = 0.0, velocity = 0.0;
  bool all() const { return length > 0.0 && mass > 0.0 && velocity > 0.0; }
};

/// The scene's units in cgs; else units that go with its G. Of the usual systems, that of
/// this G; of any other, kpc, km/s and the mass unit that makes it right.
FileUnits units_for(const Scene& scene);

/// Unit names for people: "kpc, 10^10 solar masses, km/s"; "3.1e+20 cm" for a unit without a name. `with_h`:
/// lengths and masses are divided by H0 / (100 km/s/Mpc).
std::string unit_names(const FileUnits& units, bool with_h);

/// Collects the units that a file states, and gives them to its scene.
class StatedUnits {
 public:
  /// A column of this name and kind has this unit, as the file writes it. Throws Error where a column of the
  /// same kind has another one: the numbers of one vector cannot have two units.
  void take(const FileView& file, UnitKind kind, std::string_view unit, std::string_view name);
  /// Notes a unit that a comment states for all columns of its kind.
  void take_comment(const NamedUnit& unit);

  /// States G and units of the scene where lengths, masses and (if there are any) velocities have one. Says
  /// in the notes what was taken, and what is missing or contradicts. `has_masses`: the file has masses.
  /// Settles the units. Units that the user names (`asked`, ReadOptions::units) take precedence;
  /// contradictions are noted.
  void settle(Scene& scene, bool has_masses, std::string_view asked) const;

  /// The units of a scene in SI; 0 for each that is not stated.
  struct Parts {
    double length = 0.0, velocity = 0.0, mass = 0.0;
  };

 private:
  struct Stated {
    double si = 0.0;
    std::string text, name;
  };
  std::array<Stated, 4> columns_;
  std::array<double, 4> comments_{};
  std::vector<std::string> problems_;

  double of(UnitKind kind) const;
  Parts parts() const;
  void note_part(Scene& scene, bool has_masses) const;
};

}  // namespace orrery::sim
