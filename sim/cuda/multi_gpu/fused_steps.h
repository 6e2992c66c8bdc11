#pragma once

#include <utility>

#include "sim/cuda/launch/launch.h"
#include "sim/cuda/memory/device_state.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim::cuda {

/// State of fused kernels, which sum the forces and move the bodies in one: the buffer that they write while
/// they read the other one, and what a launch does besides. Every function needs the GPU's context.
class FusedSteps {
 public:
  /// Makes room for so many bodies. Throws Error: out of memory.
  void allocate(const StateForm& form, std::size_t bodies) { next_.allocate(form, bodies); }
  /// Kernels write the bodies that move; masses of the others must be there too.
  void fill(const DeviceState& state, CUstream stream) {
    if (!std::exchange(is_filled_, true)) next_.copy_from(state, stream);
  }
  void set_filled(bool filled) { is_filled_ = filled; }
  /// True if the buffer has the bodies that these kernels do not move, if there are any.
  bool is_filled() const { return is_filled_; }
  DeviceState& next() { return next_; }
  const DeviceState& next() const { return next_; }

  /// `finishes`: the forces under way end a step (Integrator::fuses_ahead); vertices of the complete state go
  /// to these addresses of body 0, or nowhere (0).
  void set(bool finishes, CUdeviceptr vertex_position, CUdeviceptr vertex_velocity) {
    finishes_ = finishes;
    vertex_position_ = vertex_position;
    vertex_velocity_ = vertex_velocity;
  }
  void drop_vertices() { vertex_position_ = vertex_velocity_ = 0; }
  /// Families with many_steps: how many a launch makes from now on. An odd number ends in the other buffer.
  void set_steps(unsigned steps) { steps_ = steps; }
  bool finishes() const { return finishes_; }

  /// The update of the next launch, which reads `state` or, with `other_buffer`, the other one.
  FusedUpdate update(const Integrator& integrator, double time_step, const DeviceState& state,
                     bool other_buffer) const {
    const bool ahead = integrator.fuses_ahead();
    const auto update = ahead ? integrator.first_update() : integrator.last_update();
    return {.next = other_buffer ? &state : &next_,
            .finish = ahead && finishes_ ? integrator.last_update().kick * time_step : 0.0,
            .kick = update.kick * time_step,
            .drift = update.drift * time_step,
            .old_velocity = !update.kick_first,
            .vertex_position = vertex_position_,
            .vertex_velocity = vertex_velocity_,
            .steps = steps_};
  }

 private:
  DeviceState next_;
  bool is_filled_ = false;
  bool finishes_ = false;
  CUdeviceptr vertex_position_ = 0, vertex_velocity_ = 0;
  unsigned steps_ = 1;  ///< of a launch
};

}  // namespace orrery::sim::cuda
