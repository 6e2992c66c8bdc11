#pragma once

#include <cstdint>
#include <memory>

#include "sim/step/step_course.h"

namespace orrery::sim {

/// Makes steps: the only reader of an integrator's stages. It asks a device for passes over the bodies, in
/// the order of the step rule, and counts time and steps. A step may take several calls of `advance`, between
/// which it can be given up.
class Stepper {
 public:
  /// The device, which outlives it or the next call, and integrator and rule of the steps from now on, and
  /// `step`, the time by which the device moves the bodies: physics.time_step as the device rounds it. Where
  /// something changes, a step under way has to be given up before.
  void configure(StepDevice& device, const Physics& physics, double step);
  /// Bodies were loaded or replaced. `with_forces`: the device has the forces on them.
  void start(double time, std::uint64_t steps, bool with_forces);
  /// Notes that the device's forces are not those on the present bodies any more.
  void forget_forces() { has_forces_ = false; }

  /// Works on the present step. True when it is complete.
  bool advance(const WorkBudget& budget);
  /// Gives up the step under way; it begins again later.
  void give_up();

  bool between_steps() const { return stage_ == Stage::between_steps; }
  /// True between the begin of a step's first pass and the end of its last one.
  bool within_part() const { return stage_ == Stage::forces || stage_ == Stage::between_passes; }
  /// True if the device has the forces on the bodies as they are.
  bool has_forces() const { return has_forces_; }
  double time() const { return time_; }
  std::uint64_t steps() const { return steps_; }
  /// Facts about the last step.
  void add_facts(EngineReport& report) const {
    if (course_) course_->add_facts(report);
  }

 private:
  enum class Stage { between_steps, first_forces, choosing, between_passes, forces };

  void begin_step(bool wait);
  void begin_pass();
  void end_pass(bool part_is_done);
  void end_step();

  StepDevice* device_ = nullptr;
  std::unique_ptr<StepCourse> course_;
  Physics physics_;
  double step_ = 0.0;
  Stage stage_ = Stage::between_steps;
  Pass pass_;  ///< the present or next one
  bool has_forces_ = false;
  double time_ = 0.0;        ///< simulated time of the last complete step
  std::uint64_t steps_ = 0;  ///< complete ones since the bodies were loaded
};

}  // namespace orrery::sim
