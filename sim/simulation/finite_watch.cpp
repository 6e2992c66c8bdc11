#include "sim/simulation/finite_watch.h"

#include <fmt/format.h>

#include "sim/core/error.h"
#include "sim/core/parallel_copy.h"
#include "sim/core/time_account.h"
#include "sim/cpu/cpu_options.h"
#include "sim/scene/finite.h"

namespace orrery::sim {

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
