#include <optional>

#include "sim/step/parts_course.h"
#include "step_courses.h"

namespace orrery::sim {

namespace {

/// step=adaptive: parts of 2^-k of the step, as DyadicStep cuts them. A part is tried, and taken back where
/// the accelerations at its ends ask for a shorter one.
class AdaptiveCourse final : public PartsCourse {
 public:
  AdaptiveCourse(const Physics& physics, double step)
      : PartsCourse(physics, step, "Into how many parts step=adaptive cut the last step.") {}

  void begin(StepDevice& device) override {
    cut_ = {};
    longest_before_.reset();
    PartsCourse::begin(device);
  }

  Next next(StepDevice& device, bool wait) override {
    const auto longest = this->longest(device, wait);
    if (!longest) return Next::wait;
    if (!longest_before_) {
      longest_before_ = longest;
    } else if (cut_.counts(step(), *longest_before_, *longest)) {
      cut_.accept();
      longest_before_ = longest;
      if (!cut_.done()) device.parts().keep_part();
    } else {
      cut_.reject();
      device.parts().restore_part();
    }
    if (cut_.done()) return Next::end;
    while (cut_.too_long(step(), *longest_before_)) cut_.reject();
    return Next::forces;
  }

  Pass pass() const override { return {.before = {}, .part = cut_.part(), .ends_step = cut_.ends_step()}; }

 private:
  std::uint32_t parts() const override { return cut_.parts(); }

  DyadicStep cut_;
  std::optional<double> longest_before_;  ///< tau where the present part begins
};

}  // namespace

constinit const CourseKind adaptive_course{&adaptive_step, make_course<AdaptiveCourse>};

}  // namespace orrery::sim
