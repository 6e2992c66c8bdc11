#include "sim/cuda/multi_gpu/fused_steps.h"

namespace orrery::sim::cuda {

FusedUpdate FusedSteps::update(const Integrator& integrator, double time_step, const DeviceState& state,
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

}  // namespace orrery::sim::cuda
