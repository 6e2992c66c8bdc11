#pragma once

#include <memory>
#include <type_traits>

#include "sim/engines/engine_report.h"
#include "sim/physics/integrators/step_rule.h"
#include "sim/physics/physics.h"
#include "sim/step/step_device.h"

namespace orrery::sim {

/// The way in which a step rule (sim/physics/integrators/step_rule.h) takes a step: which passes follow each
/// other, and what is measured in between. One object per rule, in a file of its own.
class StepCourse {
 public:
  enum class Next {
    forces,  ///< the pass of pass(), as the beginning of a part
    wait,    ///< a number that the device has not found yet
    end      ///< the step is complete
  };

  virtual ~StepCourse() = default;

  /// A step begins: asks for what it takes to choose the first part.
  virtual void begin(StepDevice& device) = 0;
  /// Decides what follows. `wait`: waits for the device's number rather than asking for another call.
  virtual Next next(StepDevice& device, bool wait) = 0;
  /// The first pass of the part that next() chose. Its motion and its number are the Stepper's.
  virtual Pass pass() const { return {}; }
  /// The last forces of the part are there, and so is its last motion, unless bodies have steps of their own.
  virtual void end_part(StepDevice& device, const Pass& pass) = 0;
  /// The step is complete: keeps what the report says of it.
  virtual void end_step() {}
  /// Facts about the last complete step.
  virtual void add_facts(EngineReport& /*report*/) const {}
};

/// The course of one step rule: a file of its own, and a line in CMakeLists.txt of this folder.
struct CourseKind {
  const StepRule* rule;
  /// Makes the course, with the criterion of `physics`. `step`: the time by which the device moves the bodies
  /// in a step, physics.time_step as the device rounds it.
  std::unique_ptr<StepCourse> (*make)(const Physics& physics, double step);
};

/// CourseKind::make of a course that is made of both of these, or of nothing.
template <typename Course>
std::unique_ptr<StepCourse> make_course([[maybe_unused]] const Physics& physics,
                                        [[maybe_unused]] double step) {
  if constexpr (std::is_default_constructible_v<Course>)
    return std::make_unique<Course>();
  else
    return std::make_unique<Course>(physics, step);
}

}  // namespace orrery::sim
