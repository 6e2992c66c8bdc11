#include <algorithm>
#include <cmath>

#include "sim/physics/integrators/step_rule.h"
#include "sim/step/step_course.h"

namespace orrery::sim {

namespace {

/// step=even: as many equal parts as the shortest tau met in the step asks for. Begins the step again with
/// more of them where a part turns out too long. A step that is made backwards meets the same tau, so it has
/// the same parts.
class EvenCourse final : public StepCourse {
 public:
  EvenCourse(const Physics& physics, double step) : criterion_(physics.step_criterion()), step_(step) {}

  void begin(StepDevice& device) override {
    wanted_ = 1;
    begin_again();
    knows_begin_ = false;
    parts_of(device).keep_part();
    parts_of(device).measure_acceleration();
  }

  Next next(StepDevice& device, bool wait) override {
    const auto largest = parts_of(device).largest_acceleration(wait);
    if (!largest) return Next::wait;
    wanted_ = std::max(wanted_, parts_for(criterion_.longest(*largest)));
    if (!knows_begin_) {
      knows_begin_ = true;
      begin_again();
    } else if (wanted_ > parts_) {
      parts_of(device).restore_part();
      begin_again();
    } else {
      ++made_;
    }
    return made_ == parts_ ? Next::end : Next::forces;
  }

  Pass pass() const override {
    return {.before = {}, .part = 1.0 / static_cast<double>(parts_), .ends_step = made_ + 1 == parts_};
  }

  void end_part(StepDevice& device, const Pass& /*pass*/) override {
    parts_of(device).measure_acceleration();
  }

  void end_step() override { last_parts_ = parts_; }

  void add_facts(EngineReport& report) const override {
    if (last_parts_ == 0) return;
    report.facts.push_back({.key = "parts_of_step",
                            .value = std::int64_t{last_parts_},
                            .label = "parts of a step",
                            .hint = "Into how many equal parts step=even cut the last step."});
  }

 private:
  static constexpr std::uint32_t most = 1U << DyadicStep::deepest;

  void begin_again() {
    parts_ = wanted_;
    made_ = 0;
  }
  std::uint32_t parts_for(double tau) const {
    const double count = std::ceil(std::abs(step_) / tau);
    return count < most ? std::max<std::uint32_t>(1, static_cast<std::uint32_t>(count)) : most;
  }

  StepCriterion criterion_;
  double step_;
  std::uint32_t wanted_ = 1;  ///< by the shortest tau so far
  std::uint32_t parts_ = 1;   ///< of the present try
  std::uint32_t made_ = 0;
  bool knows_begin_ = false;
  std::uint32_t last_parts_ = 0;  ///< parts of the last complete step
};

}  // namespace

extern const CourseKind even_course;
constinit const CourseKind even_course{
    .rule = &even_step,
    .make = [](const Physics& physics, double step) -> std::unique_ptr<StepCourse> {
      return std::make_unique<EvenCourse>(physics, step);
    },
};

}  // namespace orrery::sim
