#pragma once

#include <string>

namespace orrery::sim {

struct Scene;

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

}  // namespace orrery::sim
