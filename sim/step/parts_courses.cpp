#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/physics/integrators/step_rule.h"
#include "step_courses.h"

namespace orrery::sim {

namespace {

/// A course whose parts are of all bodies together: a part that turns out too long is taken back.
class PartsCourse : public StepCourse {
 public:
  /// `hint`: of the number of parts, in reports.
  PartsCourse(const Physics& physics, double step, std::string_view hint)
      : criterion_(physics.step_criterion()), step_(step), hint_(hint) {}

  void begin(StepDevice& device) override {
    device.parts().keep_part();
    device.parts().measure_acceleration();
  }
  void end_part(StepDevice& device, const Pass& /*pass*/) override { device.parts().measure_acceleration(); }
  void end_step() override { parts_of_step_ = parts(); }
  void add_facts(EngineReport& report) const override {
    if (parts_of_step_ == 0) return;
    report.facts.push_back({.key = "parts_of_step",
                            .value = std::int64_t{parts_of_step_},
                            .label = "parts of a step",
                            .hint = hint_});
  }

 protected:
  /// Parts of the step, once it is complete.
  virtual std::uint32_t parts() const = 0;
  /// The longest allowed part at this moment, once the device knows.
  std::optional<double> longest(StepDevice& device, bool wait) const {
    const auto largest = device.parts().largest_acceleration(wait);
    return largest ? std::optional(criterion_.longest(*largest)) : std::nullopt;
  }
  double step() const { return step_; }

 private:
  StepCriterion criterion_;
  double step_;
  std::string_view hint_;
  std::uint32_t parts_of_step_ = 0;  ///< parts of the last complete step
};

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

/// step=even: as many equal parts as the shortest tau met in the step asks for. Begins the step again with
/// more of them where a part turns out too long. A step that is made backwards meets the same tau, so it has
/// the same parts.
class EvenCourse final : public PartsCourse {
 public:
  EvenCourse(const Physics& physics, double step)
      : PartsCourse(physics, step, "Into how many equal parts step=even cut the last step.") {}

  void begin(StepDevice& device) override {
    wanted_ = 1;
    begin_again();
    knows_begin_ = false;
    PartsCourse::begin(device);
  }

  Next next(StepDevice& device, bool wait) override {
    const auto longest = this->longest(device, wait);
    if (!longest) return Next::wait;
    wanted_ = std::max(wanted_, parts_for(*longest));
    if (!knows_begin_) {
      knows_begin_ = true;
      begin_again();
    } else if (wanted_ > parts_) {
      device.parts().restore_part();
      begin_again();
    } else {
      ++made_;
    }
    return made_ == parts_ ? Next::end : Next::forces;
  }

  Pass pass() const override {
    return {.before = {}, .part = 1.0 / static_cast<double>(parts_), .ends_step = made_ + 1 == parts_};
  }

 private:
  static constexpr std::uint32_t most = 1U << DyadicStep::deepest;

  std::uint32_t parts() const override { return parts_; }
  void begin_again() {
    parts_ = wanted_;
    made_ = 0;
  }
  std::uint32_t parts_for(double tau) const {
    const double count = std::ceil(std::abs(step()) / tau);
    return count < most ? std::max<std::uint32_t>(1, static_cast<std::uint32_t>(count)) : most;
  }

  std::uint32_t wanted_ = 1;  ///< by the shortest tau so far
  std::uint32_t parts_ = 1;   ///< of the present try
  std::uint32_t made_ = 0;
  bool knows_begin_ = false;
};

}  // namespace

constinit const CourseKind adaptive_course{&adaptive_step, make_course<AdaptiveCourse>};
constinit const CourseKind even_course{&even_step, make_course<EvenCourse>};

}  // namespace orrery::sim
