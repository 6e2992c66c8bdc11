#pragma once

namespace orrery::sim {

/// Orientation of a disk relative to the plane of the orbit: its spin is turned by `inclination` about the x
/// axis, then by `node` about the z axis (degrees). Inclinations below 90 are prograde.
struct Tilt {
  double inclination = 0.0;
  double node = 0.0;
};

/// Two disk galaxies that meet, alike but for their size. The orbit is that of two point masses in the x-y
/// plane, run through counter-clockwise, with the pericentre of the second relative to the first on the x
/// axis. The real galaxies brake each other, so they leave the orbit at the first passage.
struct Encounter {
  /// Mass of the second in that of the first, at most 1. Its lengths are the square root of it, so that the
  /// surface density is the same, and bodies of both have the same masses.
  double mass_ratio = 1.0;
  double pericentre = 2.5;
  double eccentricity = 1.0;  ///< 1: a parabola; at least 0.2
  double separation = 10.0;   ///< at the start, approaching; beyond the pericentre, within the apocentre
  Tilt first, second;

  /// The time from the start to the pericentre of the orbit of two point masses with that mass in total.
  double time_to_pericentre(double mass) const;
};

}  // namespace orrery::sim
