#include <algorithm>
#include <iterator>

#include "sim/cuda/cuda_engine_class.h"

// Individual steps (sim/physics/integrators/block_levels.h). The GPU chooses levels and lists the active
// bodies; the host learns how many there are and when, and queues their forces.
namespace orrery::sim::cuda {

namespace {
constexpr index_t whole_step = index_t{1} << deepest_level;
}  // namespace

void CudaEngine::begin_individual() {
  home().allocate_individual();
  now_ = moments_ = 0;
  computed_ = 0.0;
  advance_individual();
}

/// Kicks at this moment, and on the way to the next one.
void CudaEngine::advance_individual() {
  const auto criterion = settings_->physics.step_criterion();
  home().advance_individual({.step = settings_->physics.time_step,
                             .accuracy = criterion.accuracy,
                             .length = criterion.length,
                             .now = now_,
                             .ends = now_ > 0 ? 1 : 0,
                             .begins = now_ < whole_step ? 1 : 0});
  stage_ = Stage::choosing;
}

/// Begins the forces of the next moment. False while it is not known.
bool CudaEngine::choose_moment(bool wait) {
  if (!is_measured(wait)) return false;
  now_ = home().take_moment();
  ++moments_;
  computed_ += static_cast<double>(home().individual().active());
  evaluation_ = 0;
  stage_ = Stage::between_evaluations;
  return true;
}

/// After the forces of a moment: true if it was the last one of the step.
bool CudaEngine::end_moment() {
  home().end_moment();
  advance_individual();
  if (now_ < whole_step) return false;
  stage_ = Stage::between_steps;
  end_step();
  return true;
}

void CudaEngine::add_moments(EngineReport& report) const {
  if (!has_individual_steps() || moments_of_step_ == 0 || count() == 0) return;
  std::ranges::move(individual_steps(moments_of_step_, forces_of_body_), std::back_inserter(report.facts));
}

}  // namespace orrery::sim::cuda
