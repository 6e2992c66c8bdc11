#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sim/snapshots/format.h"
#include "sim/snapshots/named_array.h"

// Tables of the sky: directions, distances and motions as they are observed, placed in the Galaxy.
namespace orrery::sim {

/// True if names of columns give directions: ra and dec, or l and b.
bool names_directions(std::span<const std::string> names);
/// True if a column of that name is a direction, distance, motion, mass or id.
bool is_sky_quantity(std::string_view name);

/// Places the objects of a table in the Galactic frame of rest: kpc, km/s and solar masses, x from the Sun to
/// the Galactic centre, y along the rotation at the Sun, z to the north Galactic pole. Right ascension and
/// declination are ICRS; all directions are in degrees unless a unit says otherwise, parallaxes and proper
/// motions in mas and mas/yr (with cos dec or cos b), radial velocities in km/s. A distance counts before a
/// parallax, whose inverse is taken.
///
/// The rotation from ICRS to Galactic coordinates is that of the Hipparcos catalogue (ESA SP-1200, 1997, vol.
/// 1, 1.5.3). Distance and motion of the Sun are those of Astropy's Galactocentric frame "v4.0": 8.122 kpc
/// (GRAVITY Collaboration 2018, A&A 615, L15), 20.8 pc above the plane (Bennett & Bovy 2019, MNRAS 482,
/// 1417), and (12.9, 245.6, 7.78) km/s (Drimmel & Poggio 2018, RNAAS 2, 210).
///
/// Objects without a usable direction or distance are left out and counted in a note. Throws Error with one
/// line if none is left or the table has no distances.
Scene sky_scene(const FileView& file, std::span<const NamedArray> columns, const ReadOptions& options,
                const std::string& source);

}  // namespace orrery::sim
