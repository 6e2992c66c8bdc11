#include "sim/step/stepper.h"

#include <algorithm>
#include <chrono>

#include "sim/core/error.h"
#include "step_courses.h"

namespace orrery::sim {

namespace {

/// The course of the rule that `physics` names.
std::unique_ptr<StepCourse> course_of(const Physics& physics, double step) {
  const auto kind = std::ranges::find(registry::course_kinds, physics.step, &CourseKind::rule);
  if (kind == registry::course_kinds.end()) throw Error("no device knows the way of this step rule");
  return (*kind)->make(physics, step);
}

bool same_steps(const Physics& a, const Physics& b) {
  const auto first = a.step_criterion(), second = b.step_criterion();
  return a.step == b.step && a.integrator == b.integrator && a.time_step == b.time_step &&
         first.accuracy == second.accuracy && first.length == second.length;
}

}  // namespace

void Stepper::configure(StepDevice& device, const Physics& physics, double step) {
  device_ = &device;
  const bool same = course_ && same_steps(physics_, physics) && step == step_;
  physics_ = physics;
  step_ = step;
  if (!same) course_ = course_of(physics, step);
}

void Stepper::start(double time, std::uint64_t steps, bool with_forces) {
  stage_ = Stage::between_steps;
  has_forces_ = with_forces;
  time_ = time;
  steps_ = steps;
}

bool Stepper::advance(const WorkBudget& budget) {
  const bool wait = budget.time == std::chrono::nanoseconds::max();
  const auto interrupted = [&] { return budget.interrupt != nullptr && budget.interrupt->load(); };
  while (true) {
    if (stage_ == Stage::choosing) {
      const auto next = course_->next(*device_, wait);
      if (next == StepCourse::Next::wait) return false;
      if (next == StepCourse::Next::end) {
        end_step();
        return true;
      }
      pass_ = course_->pass();
      stage_ = Stage::between_passes;
    }
    if ((device_->may_leave_step() && interrupted()) || !device_->has_room(wait)) return false;
    if (stage_ == Stage::between_steps) begin_step(wait);
    if (stage_ == Stage::choosing) continue;
    if (stage_ == Stage::between_passes) begin_pass();
    switch (device_->compute_forces(budget)) {
      case StepDevice::Outcome::pending:
        break;
      case StepDevice::Outcome::abandoned:
        give_up();
        return false;
      case StepDevice::Outcome::done:
        end_pass(false);
        break;
      case StepDevice::Outcome::part_done:
        end_pass(true);
        break;
    }
  }
}

/// Or the first forces of a run, after which it is asked for again.
void Stepper::begin_step(bool wait) {
  device_->prepare_step(wait);
  if (physics_.integrator->starts_with_acceleration() && !has_forces_) {
    pass_ = {.before = {}, .first_of_run = true};
    device_->begin_pass(pass_);
    stage_ = Stage::first_forces;
    return;
  }
  device_->begin_step(has_forces_);
  course_->begin(*device_);
  stage_ = Stage::choosing;
}

void Stepper::begin_pass() {
  pass_.before = physics_.integrator->update(pass_.evaluation);
  pass_.ends_part = pass_.evaluation + 1 == physics_.integrator->evaluations();
  device_->begin_pass(pass_);
  stage_ = Stage::forces;
}

void Stepper::end_pass(bool part_is_done) {
  if (stage_ == Stage::first_forces) {
    has_forces_ = true;
    stage_ = Stage::between_steps;
  } else if (pass_.ends_part || part_is_done) {
    if (!part_is_done && physics_.step->parts != StepParts::own)
      device_->end_part(physics_.integrator->last_update(), pass_);
    course_->end_part(*device_, pass_);
    stage_ = Stage::choosing;
  } else {
    ++pass_.evaluation;
    stage_ = Stage::between_passes;
  }
}

void Stepper::end_step() {
  stage_ = Stage::between_steps;
  course_->end_step();
  device_->end_step();
  has_forces_ = physics_.integrator->keeps_acceleration();
  time_ += physics_.time_step;
  ++steps_;
  device_->after_step();
}

void Stepper::give_up() {
  if (between_steps()) return;
  has_forces_ = device_->give_up_step();
  stage_ = Stage::between_steps;
}

}  // namespace orrery::sim
