#include "sim/cuda/launch/state_kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "sim/cuda/device/shared.h"
#include "sim/cuda/launch/launch.h"

namespace orrery::sim::cuda {

namespace {

/// The device code's struct Field.
template <typename Real>
std::array<Real, 8> field_numbers(const FieldConstants& c) {
  const auto real = [](double number) { return static_cast<Real>(number); };
  return {real(c.gm),         real(c.speed_squared), real(c.radius),   real(c.height),
          real(c.flattening), real(c.centre.x),      real(c.centre.y), real(c.centre.z)};
}

/// The device code's structure Motion.
template <typename Real>
struct Motion {
  Real last_kick, kick, drift;
  index_t begin, end;
  std::int32_t kick_first;
};

template <typename Real>
void set_motion(const StateKernels& kernels, const MotionUpdate& c, double last_kick, double dt) {
  // Zeroed as a whole: what fills it up to its size is compared too.
  Motion<Real> motion;
  std::memset(&motion, 0, sizeof motion);
  motion.last_kick = static_cast<Real>(last_kick * dt);
  motion.kick = static_cast<Real>(c.kick * dt);
  motion.drift = static_cast<Real>(c.drift * dt);
  motion.begin = static_cast<index_t>(kernels.bodies.first);
  motion.end = static_cast<index_t>(kernels.bodies.last);
  motion.kick_first = c.kick_first ? 1 : 0;
  kernels.module.set_constant("motion", &motion, sizeof motion, kernels.stream);
}

}  // namespace

void StateKernels::start(const char* kernel, Arguments& arguments, bool early) const {
  if (bodies.empty()) return;
  launch(module.function(kernel),
         {.grid_x = blocks_for(bodies.size(), moving_block), .block_x = moving_block, .early = early},
         arguments, stream);
}

Arguments StateKernels::of_state(std::initializer_list<CUdeviceptr> arrays) const {
  Arguments arguments;
  state.add_to(arguments, module.configuration().passing);
  for (const auto array : arrays) arguments.add(array);
  add_bodies(arguments);
  return arguments;
}

Arguments StateKernels::of_begin(std::initializer_list<CUdeviceptr> arrays) const {
  auto arguments = of_state(arrays);
  add_low(arguments);
  add_field(arguments);
  return arguments.add(kept).add(static_cast<std::uint32_t>(kept_bodies));
}

void StateKernels::add_bodies(Arguments& arguments) const {
  arguments.add(static_cast<std::uint32_t>(bodies.first)).add(static_cast<std::uint32_t>(bodies.last));
}

void StateKernels::add_low(Arguments& arguments) const {
  if (module.configuration().compensated) arguments.add(low);
}

void StateKernels::add_field(Arguments& arguments) const {
  if (!module.configuration().field->acts()) return;
  if (module.configuration().precision == 64)
    arguments.add(field_numbers<double>(field));
  else
    arguments.add(field_numbers<float>(field));
}

void StateKernels::add_motion(Arguments& arguments, const MotionUpdate& c, double last_kick,
                              double dt) const {
  // Steps of a compensated state are doubles.
  const int precision = module.configuration().compensated ? 64 : module.configuration().precision;
  if (!module.configuration().constant_ranges) {
    add_real(arguments, precision, last_kick * dt);
    add_real(arguments, precision, c.kick * dt);
    add_real(arguments, precision, c.drift * dt);
    arguments.add(c.kick_first ? 1 : 0);
  } else if (precision == 64) {
    set_motion<double>(*this, c, last_kick, dt);
  } else {
    set_motion<float>(*this, c, last_kick, dt);
  }
}

void StateKernels::update(const MotionUpdate& c, double last_kick, double dt, CUdeviceptr accelerations,
                          CUdeviceptr vertex_position, CUdeviceptr vertex_velocity,
                          const PartMap* map) const {
  if (c.slope != 0.0) return follow_slope(c, dt, accelerations, vertex_position, vertex_velocity);
  if (c.predict || c.correct) return follow_jerks(c, dt, accelerations);
  const auto& configuration = module.configuration();
  const MapCells none{};
  Arguments arguments;
  state.add_to(arguments, configuration.passing);
  arguments.add(accelerations);
  if (!configuration.constant_ranges) add_bodies(arguments);
  if (configuration.map_in_update) {
    if (map != nullptr)
      map->add_constants(arguments);
    else if (!configuration.constant_memory)
      arguments.add_struct(&none);
    arguments.add(map != nullptr ? map->counts() : CUdeviceptr{0});
  }
  add_low(arguments);
  add_field(arguments);
  add_motion(arguments, c, last_kick, dt);
  arguments.add(vertex_position).add(vertex_velocity);
  start("update", arguments, module.launches_early());
}

void StateKernels::follow_slope(const MotionUpdate& c, double dt, CUdeviceptr accelerations,
                                CUdeviceptr vertex_position, CUdeviceptr vertex_velocity) const {
  auto arguments = of_begin({accelerations});
  arguments.add(c.slope).add(c.probe).add(dt).add(c.first_slope ? 1 : 0);
  arguments.add(vertex_position).add(vertex_velocity);
  start("follow_slope", arguments, module.launches_early());
}

void StateKernels::follow_jerks(const MotionUpdate& c, double dt, CUdeviceptr accelerations) const {
  auto arguments = of_begin({accelerations, jerks});
  arguments.add(dt);
  start(c.predict ? "predict" : "correct", arguments);
}

void StateKernels::largest_acceleration(CUdeviceptr accelerations, CUdeviceptr largest) const {
  if (bodies.empty()) return;
  constexpr unsigned most_blocks = 1024;
  auto arguments = of_state({accelerations});
  add_field(arguments);
  arguments.add(largest);
  const unsigned blocks = std::min(blocks_for(bodies.size(), moving_block), most_blocks);
  launch(module.function("largest_acceleration"), {.grid_x = blocks, .block_x = moving_block}, arguments,
         stream);
}

void StateKernels::kick_active(const StepMoment& moment, CUdeviceptr accelerations, CUdeviceptr levels,
                               CUdeviceptr deepest) const {
  auto arguments = of_state({accelerations});
  add_low(arguments);
  add_field(arguments);
  arguments.add_struct(&moment).add(levels).add(deepest);
  start("kick_active", arguments);
}

void StateKernels::drift_all(const StepMoment& moment, CUdeviceptr levels, CUdeviceptr deepest,
                             CUdeviceptr active) const {
  auto arguments = of_state();
  add_low(arguments);
  arguments.add_struct(&moment).add(levels).add(deepest).add(active);
  start("drift_all", arguments);
}

void StateKernels::write_vertices(CUdeviceptr position, CUdeviceptr velocity,
                                  CUdeviceptr accelerations) const {
  auto arguments = of_state();
  arguments.add(position).add(velocity).add(accelerations);
  start("publish", arguments);
}

void StateKernels::reframe(const VertexFrame& frame, CUdeviceptr position, CUdeviceptr velocity) const {
  static_assert(sizeof(VertexFrame) == 10 * sizeof(double), "the device code's structure");
  Arguments arguments;
  arguments.add_struct(&frame);
  add_bodies(arguments);
  arguments.add(position).add(velocity);
  start("reframe", arguments);
}

void StateKernels::unpack(CUdeviceptr position, CUdeviceptr velocity) const {
  auto arguments = of_state();
  arguments.add(position).add(velocity);
  start("unpack", arguments);
}

}  // namespace orrery::sim::cuda
