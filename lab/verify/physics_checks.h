#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/verify/known_orbits.h"

namespace orrery::lab {

/// A check's answer: right if `value` lies within the bounds.
struct PhysicsAnswer {
  double value = 0.0;
  double least = 0.0;
  double most = 0.0;

  /// Written so that a value that is no number fails.
  bool right() const { return value >= least && value <= most; }
};

/// A statement about moving bodies whose answer is known without this program.
struct PhysicsCheck {
  std::string name;         ///< "Kepler slope, leapfrog"
  std::string source;       ///< source of the bounds
  bool quick = true;        ///< well below a second on one core
  sim::Physics needs = {};  ///< physics that an engine may refuse
  std::function<PhysicsAnswer(const Advance& advance)> answer;
};

/// Adds those of more than three bodies: the planets against a published ephemeris, a Plummer sphere in
/// equilibrium, a cold collapse and a disk.
void add_many_body_checks(std::vector<PhysicsCheck>& checks);

/// All checks: slope and reversibility of every integrator, then known orbits, then many bodies.
std::vector<PhysicsCheck> physics_checks();

/// Why the configuration cannot make this check; empty if it can.
std::string why_not(const PhysicsCheck& check, const sim::OptionTable& table,
                    sim::Configuration configuration);

/// The table's heading, and a line of it: check, value, bounds, "ok" or "FAILED", source.
std::string physics_heading();
std::string physics_line(const PhysicsCheck& check, const PhysicsAnswer& answer);

}  // namespace orrery::lab
