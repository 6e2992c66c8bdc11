#include "sim/step/step_course.h"

namespace orrery::sim {

namespace {

/// step=fixed: one part.
class FixedCourse final : public StepCourse {
 public:
  void begin(StepDevice& /*device*/) override { is_made_ = false; }
  Next next(StepDevice& /*device*/, bool /*wait*/) override { return is_made_ ? Next::end : Next::forces; }
  void end_part(StepDevice& /*device*/, const Pass& /*pass*/) override { is_made_ = true; }

 private:
  bool is_made_ = false;
};

}  // namespace

extern const CourseKind fixed_course;
constinit const CourseKind fixed_course{
    .rule = &fixed_step,
    .make = [](const Physics& /*physics*/, double /*step*/) -> std::unique_ptr<StepCourse> {
      return std::make_unique<FixedCourse>();
    },
};

}  // namespace orrery::sim
