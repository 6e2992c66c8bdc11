#include <optional>

#include "sim/physics/integrators/step_rule.h"
#include "sim/step/step_course.h"

namespace orrery::sim {

namespace {

/// step=adaptive: parts of 2^-k of the step, as DyadicStep cuts them. A part is tried, and taken back where
/// the accelerations at its ends ask for a shorter one.
class AdaptiveCourse final : public StepCourse {
 public:
  AdaptiveCourse(const Physics& physics, double step) : criterion_(physics.step_criterion()), step_(step) {}

  void begin(StepDevice& device) override {
    cut_ = {};
    longest_before_.reset();
    parts_of(device).keep_part();
    parts_of(device).measure_acceleration();
  }

  Next next(StepDevice& device, bool wait) override {
    const auto largest = parts_of(device).largest_acceleration(wait);
    if (!largest) return Next::wait;
    const double longest = criterion_.longest(*largest);
    if (!longest_before_) {
      longest_before_ = longest;
    } else if (cut_.counts(step_, *longest_before_, longest)) {
      cut_.accept();
      longest_before_ = longest;
      if (!cut_.done()) parts_of(device).keep_part();
    } else {
      cut_.reject();
      parts_of(device).restore_part();
    }
    if (cut_.done()) return Next::end;
    while (cut_.too_long(step_, *longest_before_)) cut_.reject();
    return Next::forces;
  }

  Pass pass() const override { return {.before = {}, .part = cut_.part(), .ends_step = cut_.ends_step()}; }

  void end_part(StepDevice& device, const Pass& /*pass*/) override {
    parts_of(device).measure_acceleration();
  }

  void end_step() override { parts_ = cut_.parts(); }

  void add_facts(EngineReport& report) const override {
    if (parts_ == 0) return;
    report.facts.push_back({.key = "parts_of_step",
                            .value = std::int64_t{parts_},
                            .label = "parts of a step",
                            .hint = "Into how many parts step=adaptive cut the last step."});
  }

 private:
  StepCriterion criterion_;
  double step_;
  DyadicStep cut_;
  std::optional<double> longest_before_;  ///< tau where the present part begins
  std::uint32_t parts_ = 0;               ///< parts of the last complete step
};

}  // namespace

extern const CourseKind adaptive_course;
constinit const CourseKind adaptive_course{
    .rule = &adaptive_step,
    .make = [](const Physics& physics, double step) -> std::unique_ptr<StepCourse> {
      return std::make_unique<AdaptiveCourse>(physics, step);
    },
};

}  // namespace orrery::sim
