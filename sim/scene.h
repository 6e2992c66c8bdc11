#pragma once

#include <string>
#include <vector>

#include "sim/bodies.h"

namespace orrery::sim {

/// Bodies and the numbers that make sense with them: what a galaxy model or a snapshot gives to the program.
/// Lengths, masses and times are in the scene's own units; docs/physics.md explains which.
struct Scene {
  Bodies bodies;
  double time = 0.0;                    ///< simulated time of the state
  double gravitational_constant = 1.0;  ///< G, length^3 / (mass time^2)
  double softening = 0.05;              ///< epsilon, length
  double time_step = 0.01;              ///< dt, time
  std::string force_law = "gravity";    ///< suggested, with the strengths of charges
  double coulomb = 1.0;                 ///< K_E, force length^2 / charge^2
  double magnetic = 0.1;                ///< K_M, force time^2 / charge^2
  std::string integrator = "leapfrog";  ///< suggested
  int dimensions = 3;                   ///< 2: the bodies are meant to stay in the plane z = 0
  double speed = 0.0;              ///< suggested simulated time per second of viewing; 0: as fast as it goes
  std::string title;               ///< a short name, e.g. "plummer" or the file's name
  std::string source;              ///< where it came from, e.g. "tipsy, little-endian, 32-byte header"
  bool has_velocities = true;      ///< false: positions only; the viewer starts paused
  std::vector<std::string> notes;  ///< one line each: what the reader assumed, repaired or left out
};

}  // namespace orrery::sim
