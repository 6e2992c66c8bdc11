// How the CPU engine makes a step: as a whole, in parts, or each body in steps of its own.
#include <algorithm>
#include <utility>

#include "sim/cpu/cpu_engine_class.h"

namespace orrery::sim {

bool CpuEngine::step_around_kernel(StepProblem& problem) {
  const auto& integrator = *problem.integrator;
  const std::size_t evaluations = integrator.evaluations();
  for (std::size_t k = 0; k < evaluations; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    move(integrator.update(k), problem);
    share(next_);
    problem.note(TimelineKind::update, begin);
    if (!evaluate(problem.force, problem.parts)) return false;
  }
  problem.after_forces();
  const auto forces_done = std::chrono::steady_clock::now();
  move(integrator.last_update(), problem);
  problem.note(TimelineKind::update, forces_done);
  return true;
}
/// From `begin` to `end`, which is the same yet. False if interrupted.
bool CpuEngine::make_part(const MotionArrays& begin, MotionArrays& end, const Part& part) {
  StepProblem problem{.force = force_problem(end, part.interrupt),
                      .motion = motion_between(begin, end),
                      .integrator = settings_.physics.integrator,
                      .dt = part.dt,
                      .after_forces = [&] {
                        if (part.ends_step) sample_forces(end);
                      }};
  // Kernels with a step of their own sum no jerks.
  auto* const step = settings_.jerks() ? nullptr : settings_.kernel->step;
  const bool complete = step != nullptr ? step(problem) : step_around_kernel(problem);
  part.done.insert(part.done.end(), problem.parts.begin(), problem.parts.end());
  return complete;
}

/// From state_ to next_.
bool CpuEngine::make_step(const std::atomic<bool>* interrupt, std::vector<StepPart>& done) {
  if (settings_.adaptive()) return make_adaptive_step(interrupt, done);
  if (settings_.blocks()) return make_block_steps(interrupt, done);
  next_.copy_from(state_, move_threads());
  return make_part(state_, next_, {settings_.step(), true, interrupt, done});
}

bool CpuEngine::make_adaptive_step(const std::atomic<bool>* interrupt, std::vector<StepPart>& done) {
  const double dt = settings_.step();
  const auto criterion = settings_.physics.step_criterion();
  const auto longest = [&](const MotionArrays& motion) {
    return criterion.longest(acceleration_, motion.position, settings_.acting_field());
  };
  part_.copy_from(state_, move_threads());
  copy_to(part_acceleration_, acceleration_, move_threads());
  double before = longest(part_);
  DyadicStep cut;
  while (!cut.done()) {
    if (cut.too_long(dt, before)) {
      cut.reject();
      continue;
    }
    next_.copy_from(part_, move_threads());
    if (!make_part(part_, next_, {dt * cut.part(), cut.ends_step(), interrupt, done})) return false;
    const double after = longest(next_);
    if (cut.counts(dt, before, after)) {
      cut.accept();
      std::swap(part_, next_);
      copy_to(part_acceleration_, acceleration_, move_threads());
      before = after;
    } else {
      cut.reject();
      copy_to(acceleration_, part_acceleration_, move_threads());
    }
  }
  std::swap(part_, next_);
  parts_ = cut.parts();
  return true;
}

bool CpuEngine::make_block_steps(const std::atomic<bool>* interrupt, std::vector<StepPart>& done) {
  next_.copy_from(state_, move_threads());
  StepProblem problem{.force = force_problem(next_, interrupt),
                      .motion = motion_between(state_, next_),
                      .integrator = settings_.physics.integrator,
                      .dt = settings_.step(),
                      .after_forces = [&] { sample_forces(next_); }};
  const bool complete = make_block_step(
      problem, {settings_.kernel, settings_.physics.step_criterion(), levels_, active_forces_});
  done.insert(done.end(), problem.parts.begin(), problem.parts.end());
  return complete;
}

}  // namespace orrery::sim
