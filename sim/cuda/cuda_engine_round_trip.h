#pragma once

#include <vector>

#include "sim/cuda/cuda_engine.h"

namespace orrery::sim::cuda {

/// Steps of the reports' round trips: the host holds the bodies and moves them, and GPUs only compute
/// accelerations; or, as in ECE415 2022, GPUs also change the velocities. Works on the engine's bodies.
class CudaEngine::RoundTrip final : public StepDevice {
 public:
  explicit RoundTrip(CudaEngine& engine) : engine_(engine) {}

  /// Makes one whole step, whatever the budget.
  bool advance(const WorkBudget& budget);
  /// Forgets what is in device memory, because the host's bodies were replaced.
  void forget() { velocities_on_device_ = false; }
  /// The accelerations of the last evaluation.
  std::vector<Vec3>& accelerations() { return acceleration_; }

  void begin_step(bool with_forces) override;
  void begin_pass(const Pass& pass) override;
  Outcome compute_forces(const WorkBudget& budget) override;
  void end_part(const MotionUpdate& last, const Pass& pass) override;
  void end_step() override;
  bool give_up_step() override;

 private:
  float step() const { return static_cast<float>(engine_.settings_->physics.time_step); }
  void move(const MotionUpdate& update);
  void queue_forces(bool positions_only);
  void evaluate(bool sampled);
  void kick_on_device();

  CudaEngine& engine_;
  Pass pass_;
  bool begun_ = false;                 ///< the state before the step is kept
  bool velocities_on_device_ = false;  ///< the host's velocities are in device memory, too
  std::vector<Vec3> acceleration_;
  std::vector<Vec3> position_before_, velocity_before_;  ///< the last complete step
  std::vector<DVec3> position_slope_, velocity_slope_;   ///< of methods with slopes, else empty
};

}  // namespace orrery::sim::cuda
