#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"
#include "sim/scene/physical_units.h"

namespace orrery::sim {

/// An exponential disk with a Hernquist bulge and a live Hernquist halo; G = 1, length unit = the disk's
/// scale length.
struct DiskGalaxy {
  double disk_mass = 0.8;
  double disk_height = 0.1;  ///< z0 of sech^2(z/z0)
  double disk_taper = 3.5;   ///< radius at which it begins to fade out
  double disk_edge = 6.5;    ///< radius at which it ends
  double disk_hole = 0.0;    ///< radius of a hole in the middle of the disk, which makes it a ring
  double toomre_q = 1.1;     ///< Q at the radius below
  double q_radius = 2.0;
  /// Two arms or a bar to begin with: how much denser the disk is in them than on average, below 1.
  double pattern_strength = 0.0;
  double pattern_pitch =
      90.0;                  ///< degrees between the pattern and a circle: below 90 trailing arms, 90 a bar
  double pattern_end = 6.5;  ///< radius towards which the pattern fades out
  /// More bodies than these begin with density waves as strong as the noise of so many: arms then grow as
  /// soon with ten million bodies as with few. 0: never.
  double noise_bodies = 0.0;
  double bulge_mass = 0.2;
  double bulge_scale = 0.2;  ///< Hernquist's a
  double bulge_edge = 1.2;
  double halo_mass = 2.0;
  double halo_scale = 4.0;
  double halo_edge = 20.0;
  double disk_fraction = 0.65;  ///< fraction of the bodies in the disk
  double bulge_fraction = 0.1;
  double softening = 0.1;

  double mass() const { return disk_mass + bulge_mass + halo_mass; }
};

/// A cold, heavy disk (Q = 1.1), as DiskGalaxy begins: swing amplification makes two or three arms out of the
/// noise within a rotation, and mostly a bar later.
inline DiskGalaxy spiral_disk() { return {}; }
/// A warm, light disk around a heavy bulge (Q = 1.5), which keeps its shape for ten rotations.
DiskGalaxy steady_disk();

/// The softening that `make_disk_galaxy` is stable with for that many bodies.
double disk_softening(std::size_t bodies);
/// A time step that resolves the orbits in the bulge: 0.2 of the time in which they turn by a radian at the
/// softening length, or 0.3 of the time to cross that length at unit speed, whichever is longer.
double disk_time_step(const DiskGalaxy& galaxy);
/// One rotation at the half-mass radius of the disk (1.6), in the model's time unit.
inline constexpr double disk_rotation_period = 13.2;
/// A reading of the units in physical ones.
inline constexpr const char* disk_units =
    "G = 1; with 3 kpc and 5 x 10^10 solar masses as units, time is in 11 Myr and velocity in 268 km/s";
/// The units of disk galaxies for pictures: 3 kpc, and the time that 3 kpc and 5 x 10^10 solar masses give
/// with G = 1.
inline constexpr PhysicalUnits disk_physical_units{
    .length = 3e3 * meters_of_parsec, .time = 10.956e6 * seconds_of_year, .mass = 5e10 * kilograms_of_sun};
/// Samples the galaxy in equilibrium with its own softened field, centred, spinning about +z. `ticker` is
/// told how many bodies have been sampled.
Particles make_disk_galaxy(const DiskGalaxy& galaxy, std::size_t bodies, std::uint64_t seed,
                           const Ticker& ticker);

}  // namespace orrery::sim
