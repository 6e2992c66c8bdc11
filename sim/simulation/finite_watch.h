#pragma once

#include <cstdint>
#include <string>

#include "sim/bodies/bodies.h"
#include "sim/engines/engine.h"

namespace orrery::sim {

/// Notices that a simulation has left the finite numbers: bodies that came too close, too long a step. Where
/// several processes compute, all make the same calls.
class FiniteWatch {
 public:
  /// `bodies`: what the engine was loaded with.
  explicit FiniteWatch(const Bodies& bodies);

  /// Call after each step: looks after steps 1, 2, 4, 8 and so on. Throws Error with the problem, and what
  /// Engine::read_back throws.
  void after_step(Engine& engine);
  /// Looks now. Throws as before.
  void check(Engine& engine);
  /// Looks now: which number of which body is not finite, after which step, and what to do; empty if all are
  /// finite.
  std::string problem(Engine& engine);

 private:
  Bodies bodies_;            ///< without what no step changes
  std::uint64_t sound_ = 0;  ///< the last step that was looked at and had finite numbers only
  std::uint64_t next_ = 1;   ///< step to look at
};

}  // namespace orrery::sim
