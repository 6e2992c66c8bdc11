#pragma once

#include <span>
#include <string_view>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// The numbers of all external fields, in the units of the scene. A field reads its own.
struct FieldConstants {
  double gm = 1.0;             ///< G M, length^3 / time^2
  double speed_squared = 1.0;  ///< v0^2
  double radius = 1.0;         ///< a
  double height = 0.1;         ///< b
  double flattening = 1.0;     ///< q: equipotentials are q times as high as wide
  DVec3 centre = {};           ///< its position
};

/// A number that a field can read (FieldConstants), in the order of Physics.
enum class FieldNumber { mass, speed, radius, height, flattening };

/// A fixed potential that acts on every body, as if a galaxy were there that does not move.
/// Each lives in its own file, with device code of its own; adding one takes both and one line in
/// CMakeLists.txt of this folder.
struct ExternalField {
  std::string_view name;              ///< as in --set external-field=NAME
  std::string_view meaning;           ///< one line for the panel and the help
  std::string_view device_code;       ///< file of the device code, in sim/cuda/fields; empty: there is none
  std::span<const FieldNumber> uses;  ///< the numbers that it reads, in the order of the option's value
  /// The acceleration at x relative to the centre; nullptr: no field.
  DVec3 (*acceleration)(const FieldConstants& constants, const DVec3& x);
  /// Energy of a unit mass, of which `acceleration` is the negative gradient.
  double (*potential)(const FieldConstants& constants, const DVec3& x);

  bool acts() const { return acceleration != nullptr; }
};

/// A field with its numbers, about its centre.
struct FieldAt {
  const ExternalField* field;
  FieldConstants constants;

  DVec3 acceleration(const DVec3& x) const { return field->acceleration(constants, x - constants.centre); }
  double potential(const DVec3& x) const {
    return field->acts() ? field->potential(constants, x - constants.centre) : 0.0;
  }
  /// (x - c).a, c being the centre.
  double virial(const DVec3& x) const {
    return field->acts() ? dot(x - constants.centre, acceleration(x)) : 0.0;
  }
};

/// All fields, the default (none) first.
std::span<const ExternalField* const> external_fields();
/// The field of that name, or nullptr.
const ExternalField* find_external_field(std::string_view name);

/// Nothing acts besides the bodies.
extern const ExternalField none_field;

}  // namespace orrery::sim
