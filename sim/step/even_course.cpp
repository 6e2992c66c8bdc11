#include <algorithm>
#include <cmath>

#include "sim/step/parts_course.h"
#include "step_courses.h"

namespace orrery::sim {

namespace {

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

constinit const CourseKind even_course{&even_step, make_course<EvenCourse>};

}  // namespace orrery::sim
