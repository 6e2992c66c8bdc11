#include <algorithm>
#include <iterator>

#include "sim/cuda/cuda_engine_class.h"

// block time steps (sim/physics/integrators/block_levels.h). The GPU chooses levels and lists the active
// bodies; the host learns how many there are and when, and queues their forces.
namespace orrery::sim::cuda {

namespace {
constexpr index_t whole_step = index_t{1} << deepest_level;
}  // namespace

void CudaEngine::begin_block_steps() {
  home().allocate_block_steps();
  now_ = block_times_ = 0;
  computed_ = 0.0;
  advance_block_steps();
}

/// Kicks at this block time, and drifts on the way to the next one.
void CudaEngine::advance_block_steps() {
  const auto criterion = settings_->physics.step_criterion();
  home().advance_block_steps({.step = settings_->physics.time_step,
                              .accuracy = criterion.accuracy,
                              .length = criterion.length,
                              .now = now_,
                              .ends = now_ > 0 ? 1 : 0,
                              .begins = now_ < whole_step ? 1 : 0});
  stage_ = Stage::choosing;
}

/// Begins the forces of the next block time. False while it is not known.
bool CudaEngine::choose_block_time(bool wait) {
  if (!is_measured(wait)) return false;
  now_ = home().take_block_time();
  ++block_times_;
  computed_ += static_cast<double>(home().block_steps().active());
  evaluation_ = 0;
  stage_ = Stage::between_evaluations;
  return true;
}

/// After the forces of a block time: true if it was the last one of the step.
bool CudaEngine::end_block_time() {
  home().end_block_time();
  advance_block_steps();
  if (now_ < whole_step) return false;
  stage_ = Stage::between_steps;
  end_step();
  return true;
}

void CudaEngine::add_block_times(EngineReport& report) const {
  if (!has_block_steps() || block_times_of_step_ == 0 || count() == 0) return;
  std::ranges::move(block_step_facts(block_times_of_step_, forces_of_body_),
                    std::back_inserter(report.facts));
}

}  // namespace orrery::sim::cuda
