#include "sim/cuda/launch/state_kernels.h"

#include <cstdint>

#include "sim/cuda/device/shared.h"
#include "sim/cuda/launch/launch.h"

namespace orrery::sim::cuda {

void StateKernels::start(const char* kernel, Arguments& arguments, bool early) const {
  if (bodies.empty()) return;
  launch(module.function(kernel),
         {.grid_x = blocks_for(bodies.size(), moving_block), .block_x = moving_block, .early = early},
         arguments, stream);
}

void StateKernels::add_bodies(Arguments& arguments) const {
  arguments.add(static_cast<std::uint32_t>(bodies.first)).add(static_cast<std::uint32_t>(bodies.last));
}

void StateKernels::update(const MotionUpdate& c, double last_kick, double dt, CUdeviceptr accelerations,
                          CUdeviceptr vertex_position, CUdeviceptr vertex_velocity, const MapKernels* map,
                          CUdeviceptr counts) const {
  const MapCells none{};
  const int precision = module.configuration().precision;
  Arguments arguments;
  state.add_to(arguments, module.configuration().passing);
  arguments.add(accelerations);
  add_bodies(arguments);
  if (module.configuration().map_in_update) {
    const MapKernels nothing{module, none, stream};
    (map != nullptr ? *map : nothing).add_constants(arguments);
    arguments.add(map != nullptr ? counts : CUdeviceptr{0});
  }
  add_real(arguments, precision, last_kick * dt);
  add_real(arguments, precision, c.kick * dt);
  add_real(arguments, precision, c.drift * dt);
  arguments.add(c.kick_first ? 1 : 0).add(vertex_position).add(vertex_velocity);
  start("update", arguments, module.launches_early());
}

void StateKernels::publish(CUdeviceptr position, CUdeviceptr velocity, CUdeviceptr accelerations) const {
  Arguments arguments;
  state.add_to(arguments, module.configuration().passing);
  add_bodies(arguments);
  arguments.add(position).add(velocity).add(accelerations);
  start("publish", arguments);
}

void StateKernels::unpack(CUdeviceptr position, CUdeviceptr velocity) const {
  Arguments arguments;
  state.add_to(arguments, module.configuration().passing);
  add_bodies(arguments);
  arguments.add(position).add(velocity);
  start("unpack", arguments);
}

}  // namespace orrery::sim::cuda
