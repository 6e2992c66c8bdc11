#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/options/configuration.h"
#include "sim/physics/physics.h"

namespace orrery::lab {

/// The integrator under test: a number of steps of `physics`, one after the other. After each
/// `every` of them, and after the last, `look` sees the bodies. What it throws ends the run.
struct PhysicsRun {
  const sim::Bodies& start;
  sim::Physics physics;
  std::size_t steps = 0;
  std::size_t every = 1;
  std::function<void(const sim::Bodies& bodies)> look;
};
using Advance = std::function<void(const PhysicsRun& run)>;

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

/// All checks: slope and reversibility of every integrator, then known orbits, then many bodies.
std::vector<PhysicsCheck> physics_checks();

/// Why the configuration cannot make this check; empty if it can.
std::string why_not(const PhysicsCheck& check, const sim::OptionTable& table,
                    sim::Configuration configuration);

/// Advances by an engine with that configuration; each run sets its physics. Throws what the engine throws,
/// and sim::Cancelled when a person interrupts.
Advance by_engine(const sim::OptionTable& table, const sim::Configuration& configuration);

/// The table's heading, and a line of it: check, value, bounds, "ok" or "FAILED", source.
std::string physics_heading();
std::string physics_line(const PhysicsCheck& check, const PhysicsAnswer& answer);

}  // namespace orrery::lab
