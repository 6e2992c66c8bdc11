#include "step_courses.h"

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

constinit const CourseKind fixed_course{&fixed_step, make_course<FixedCourse>};

}  // namespace orrery::sim
