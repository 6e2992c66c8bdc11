#include "sim/simulation/lost_run.h"

#include <fmt/format.h>

#include "sim/bodies/bodies.h"
#include "sim/core/error.h"
#include "sim/core/parallel_copy.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

namespace {

/// A name that no file has yet.
std::filesystem::path free_name(const std::filesystem::path& folder, std::uint64_t step) {
  std::error_code failure;
  for (int k = 1;; ++k) {
    const auto number = k > 1 ? fmt::format("-{}", k) : std::string();
    auto path = folder / fmt::format("orrery-rescued-step{}{}.bin", step, number);
    if (!std::filesystem::exists(path, failure)) return path;
  }
}

}  // namespace

Scene present_state(Engine& engine, const Scene& scene, const Physics& physics) {
  Scene present = scene;
  engine.read_back(present.bodies);
  const auto status = engine.status();
  present.time = status.time;
  present.has_velocities = scene.has_velocities || status.steps > 0;
  present.physics = physics;
  return present;
}

std::string rescue_state(Engine& engine, const Scene& scene, const Physics& physics,
                         const std::filesystem::path& folder, const std::string& problem) {
  try {
    const Scene kept = present_state(engine, scene, physics);
    const auto path = free_name(folder, engine.status().steps);
    write_snapshot(kept, path, "bin");
    return fmt::format("{}; saved as '{}'", problem, path.string());
  } catch (const Error& error) {
    return fmt::format("{}; it could not be saved: {}", problem, error.what());
  }
}

FiniteWatch::FiniteWatch(const Bodies& bodies) {
  const TimedPhase phase("check numbers");
  copy_to(bodies_.position, bodies.position, available_processors());
  copy_to(bodies_.velocity, bodies.velocity, available_processors());
}

std::string FiniteWatch::problem(Engine& engine) {
  const TimedPhase phase("check numbers");
  engine.read_back(bodies_);
  const auto bad = first_not_finite(bodies_);
  const auto status = engine.status();
  if (bad.empty()) {
    sound_ = status.steps;
    return {};
  }
  return fmt::format(
      "{} is not finite at step {} (time {:g}); all numbers were finite at step {}; use a shorter time-step "
      "or "
      "a larger softening, and check the units of a file that states none (--units)",
      bad, status.steps, status.time, sound_);
}

void FiniteWatch::check(Engine& engine) {
  if (const auto found = problem(engine); !found.empty()) throw Error(found);
}

void FiniteWatch::after_step(Engine& engine) {
  if (engine.status().steps < next_) return;
  next_ *= 2;
  check(engine);
}

}  // namespace orrery::sim
