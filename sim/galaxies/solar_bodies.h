#pragma once

namespace orrery::sim {

/// The days of a unit of time in scenes of real bodies: 1 / k, Gauss's constant. Lengths are in AU, masses in
/// solar masses, times in years / 2 pi, so that G = 1.
inline constexpr double days_of_time_unit = 1.0 / 0.01720209895;

}  // namespace orrery::sim
