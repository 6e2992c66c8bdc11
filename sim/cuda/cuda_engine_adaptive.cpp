#include <algorithm>
#include <chrono>

#include "sim/cuda/cuda_engine_class.h"

// Steps that are cut into parts (sim/physics/integrators/step_rule.h). The GPU finds the largest
// acceleration, and the host decides by that number, as the CPU engine does: nothing else comes back.
namespace orrery::sim::cuda {

namespace {
/// Time that a step polls for the number before it returns control to the caller.
constexpr std::chrono::microseconds patience{200};
}  // namespace

void CudaEngine::begin_parts() {
  cut_ = {};
  longest_before_.reset();
  for (auto* part : active_) part->keep_part();
  measure_acceleration();
}

void CudaEngine::measure_acceleration() {
  for (auto* part : active_) part->measure_acceleration();
  stage_ = Stage::choosing;
}

/// After the last forces of a part, which may turn out to be too long.
void CudaEngine::end_part() {
  // Forces that depend on velocities are of those before the last kick.
  if (cut_.ends_step() && settings_->physics.law->uses_charges) sample_forces();
  for (auto* part : active_) part->update(settings_->integrator().last_update(), 0, 0);
  measure_acceleration();
}

bool CudaEngine::is_measured(bool wait) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto measured = [](GpuWorker* part) {
    part->make_current();
    return part->part().is_measured() && part->block_steps().is_known();
  };
  while (!std::ranges::all_of(active_, measured)) {
    if (wait) {
      for (auto* part : active_) {
        part->make_current();
        part->part().wait();
        part->block_steps().wait();
      }
    } else if (std::chrono::steady_clock::now() > until) {
      return false;
    }
  }
  return true;
}

/// Keeps or takes back the part that was made, and begins the next one, or ends the step. False while the
/// number is not there yet.
bool CudaEngine::choose_part(bool wait) {
  if (!is_measured(wait)) return false;
  double largest = 0.0;
  for (const auto* part : active_) largest = std::max(largest, part->part().largest_acceleration());
  const double longest = settings_->physics.step_criterion().longest(largest);
  if (!longest_before_) {
    longest_before_ = longest;
  } else if (cut_.counts(settings_->physics.time_step, *longest_before_, longest)) {
    cut_.accept();
    longest_before_ = longest;
    if (!cut_.done()) std::ranges::for_each(active_, &GpuWorker::keep_part);
  } else {
    cut_.reject();
    std::ranges::for_each(active_, &GpuWorker::restore_part);
  }
  if (!cut_.done()) {
    begin_part();
    return true;
  }
  stage_ = Stage::between_steps;
  end_step();
  return true;
}

void CudaEngine::begin_part() {
  while (cut_.too_long(settings_->physics.time_step, *longest_before_)) cut_.reject();
  for (auto* part : active_) part->set_part_of_step(cut_.part());
  evaluation_ = 0;
  stage_ = Stage::between_evaluations;
}

}  // namespace orrery::sim::cuda
