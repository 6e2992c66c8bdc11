#include <algorithm>
#include <iterator>

#include "sim/physics/integrators/block_levels.h"
#include "step_courses.h"

namespace orrery::sim {

namespace {

constexpr std::uint32_t whole_step = 1U << static_cast<unsigned>(BlockLevels::deepest);

/// step=block: every body takes kick-drift-kick steps of its own length, chosen by the criterion for its own
/// acceleration where its step begins (as in GADGET: Springel 2005, MNRAS 364, 1105, sec. 4.2). All bodies
/// drift to every block time, at which some steps end; only the bodies of these get new forces.
class BlockCourse final : public StepCourse {
 public:
  void begin(StepDevice& device) override {
    now_ = block_times_ = 0;
    computed_ = 0.0;
    device.blocks().begin_block_steps();
    device.blocks().advance_block_steps(0, false, true);
  }

  Next next(StepDevice& device, bool wait) override {
    if (now_ == whole_step) return Next::end;
    const auto time = device.blocks().next_block_time(wait);
    if (!time) return Next::wait;
    now_ = time->now;
    ++block_times_;
    active_ = time->active;
    computed_ += static_cast<double>(active_);
    return Next::forces;
  }

  Pass pass() const override {
    return {.before = {}, .ends_step = now_ == whole_step, .block_time = block_times_ - 1};
  }

  void end_part(StepDevice& device, const Pass& pass) override {
    device.blocks().end_block_time(pass.ends_step);
    device.blocks().advance_block_steps(now_, true, !pass.ends_step);
  }

  /// The last block time ends the steps of all bodies.
  void end_step() override {
    block_times_of_step_ = block_times_;
    forces_of_body_ = computed_ / static_cast<double>(active_);
  }

  void add_facts(EngineReport& report) const override {
    if (block_times_of_step_ == 0) return;
    std::ranges::move(block_step_facts(block_times_of_step_, forces_of_body_),
                      std::back_inserter(report.facts));
  }

 private:
  std::uint32_t now_ = 0;          ///< the present block time, in units of the shortest step
  std::uint32_t block_times_ = 0;  ///< block times of the step under way so far
  std::size_t active_ = 0;         ///< bodies that are active at the last one
  double computed_ = 0.0;          ///< the sum of those of all of them
  std::uint32_t block_times_of_step_ = 0;
  double forces_of_body_ = 0.0;  ///< mean number of force evaluations of a body in the last complete step
};

}  // namespace

constinit const CourseKind block_course{&block_step, make_course<BlockCourse>};

}  // namespace orrery::sim
