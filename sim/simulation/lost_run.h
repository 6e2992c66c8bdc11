#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "sim/bodies/bodies.h"
#include "sim/engines/engine.h"
#include "sim/scene/scene.h"

namespace orrery::sim {

/// The present state of the engine: `scene`, which it was loaded with, at its last complete step and with the
/// physics in force, so that another run can go on from it. Bodies that started at rest have velocities after
/// the first step. Throws what Engine::read_back throws.
Scene present_state(Engine& engine, const Scene& scene, const Physics& physics);

/// Saves the present state after a DeviceLost, to a new file (BIN) in `folder`, or in the working folder if
/// that is empty. Returns `problem` with where the state is, or with why it could not be saved.
std::string rescue_state(Engine& engine, const Scene& scene, const Physics& physics,
                         const std::filesystem::path& folder, const std::string& problem);

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
