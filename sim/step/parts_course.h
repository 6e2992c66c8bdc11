#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/physics/integrators/step_rule.h"
#include "sim/step/step_course.h"

namespace orrery::sim {

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

}  // namespace orrery::sim
