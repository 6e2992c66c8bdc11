#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/physics/physics.h"
#include "sim/scene/physical_units.h"

namespace orrery::sim {

/// Bodies and the numbers that make sense with them: what a galaxy model or a snapshot gives to the program.
/// Lengths, masses and times are in the scene's own units; docs/physics.md explains which.
struct Scene {
  Bodies bodies;
  double time = 0.0;         ///< simulated time of the state
  Physics physics;           ///< physics in the scene's units; law and integrator are suggestions
  PhysicalUnits units = {};  ///< physical units of the numbers, where they are known
  /// The factor by which the reader multiplied lengths and velocities, and masses by its cube: they were too
  /// large for single precision. `units` say the same.
  double scale = 1.0;
  double speed = 0.0;   ///< suggested simulated time per second of viewing; 0: as fast as it goes
  double period = 0.0;  ///< after this time all bodies are where they were; 0: they are not, or nobody knows
  std::string title;    ///< a short name, e.g. "plummer" or the file's name
  std::string source;   ///< origin, e.g. "tipsy, little-endian, 32-byte header"
  bool wants_double =
      false;  ///< suggests double precision: few bodies on orbits that must stay right for long
  bool has_velocities = true;      ///< false: positions only; the viewer starts paused
  std::vector<std::string> names;  ///< names of the bodies in their order ("Moon"); empty: they have none
  /// Radii of the bodies, in the scene's lengths: mean radii, 0 where unknown. As many as names.
  std::vector<double> radii;
  bool states_physics = false;  ///< true: the file said G, softening and time step; nothing is suggested
  bool states_gravity = false;  ///< true: the file said its units, and so G; only the rest is suggested
  bool names_units =
      false;  ///< true: the file says a unit; without states_gravity not all, or against another
  /// If the units are not stated: those in which the bodies are nearest to equilibrium (--units NAME). Empty:
  /// no proposal, or G = 1 fits. A name of unit_systems().
  std::string_view proposed_units = {};
  double virial_ratio = 0.0;       ///< K/|W| with the suggested parameters; 0: not known
  bool physics_suggested = false;  ///< true: suggest_parameters() chose G, softening, time step and speed
  std::size_t snapshots = 0;       ///< number of snapshots in the file it was read from; 0: not counted
  DVec3 box = {};                  ///< sides of the periodic box that the file says; 0: none
  std::optional<DVec3> box_middle = {};  ///< the place that became the origin, in its sides (recentre_in_box)
  std::vector<std::string> notes;        ///< one line each: what the reader assumed, repaired or left out
  std::vector<std::string> suggested_notes = {};  ///< the notes that say what was suggested, and why
  std::string motion_note = {};  ///< the one of these that says why this time step; empty: none does
};

/// Puts the bodies in this order, with what the scene knows of each: body k is the one that was order[k].
void put_in_order(Scene& scene, const std::vector<std::size_t>& order);

/// put_tracers_last of its bodies (sim/physics/sources.h); their names and radii follow. Returns how many
/// tracers there are.
std::size_t put_tracers_last(Scene& scene);

}  // namespace orrery::sim
