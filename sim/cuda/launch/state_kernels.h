#pragma once

#include <initializer_list>

#include "sim/bodies/partition.h"
#include "sim/cuda/device/shared.h"
#include "sim/cuda/launch/module.h"
#include "sim/cuda/launch/part_map.h"
#include "sim/cuda/memory/device_state.h"
#include "sim/engines/packed_bodies.h"
#include "sim/physics/fields/external_field.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim::cuda {

/// Doubles of a body in StateKernels::kept (device/steps.cuh).
inline constexpr std::size_t kept_doubles = 12;

/// Launches the kernels of update.cu on some bodies of one state, a thread each. Vertex arrays and packed
/// ones are addressed by body 0.
struct StateKernels {
  const Module& module;
  const DeviceState& state;
  BodyRange bodies;
  CUstream stream;
  CUdeviceptr low = 0;        ///< second floats of a compensated state, 6 a body
  FieldConstants field = {};  ///< constants of the external field, where one acts
  CUdeviceptr jerks = 0;      ///< 3 reals per body, of integrators that need them
  /// Memory of multistage integrators: kept_doubles per body, for a number of bodies.
  CUdeviceptr kept = 0;
  std::size_t kept_bodies = 0;

  /// Velocities and positions by `c` and the accelerations (3 reals per body), after a kick of `last_kick`
  /// that ended the step before; where vertices are given (4 floats per body; 0: none) they are written on
  /// the way. Moves the bodies. With `map`, a module that counts in the update adds the bodies to it.
  void update(const MotionUpdate& c, double last_kick, double dt, CUdeviceptr accelerations,
              CUdeviceptr vertex_position, CUdeviceptr vertex_velocity, const PartMap* map = nullptr) const;
  /// Positions and velocities as they are, 4 floats per body each, the last one of the velocity the square of
  /// the acceleration (3 reals per body; 0: none).
  void write_vertices(CUdeviceptr position, CUdeviceptr velocity, CUdeviceptr accelerations = 0) const;
  /// Converts the published vertices to the numbers that people see.
  void reframe(const VertexFrame& frame, CUdeviceptr position, CUdeviceptr velocity) const;
  /// For modules with adaptive steps: raises `largest` to the largest |a|, as the bits of a float.
  void largest_acceleration(CUdeviceptr accelerations, CUdeviceptr largest) const;
  /// For modules with block time steps: kicks the active bodies, whose steps end or begin. `levels` has a
  /// byte per body; `deepest` is raised to the deepest level that a body chooses.
  void kick_active(const StepMoment& moment, CUdeviceptr accelerations, CUdeviceptr levels,
                   CUdeviceptr deepest) const;
  /// All bodies to the next block time, which `deepest` decides. `active`: how many of each block of
  /// moving_block bodies are active there.
  void drift_all(const StepMoment& moment, CUdeviceptr levels, CUdeviceptr deepest, CUdeviceptr active) const;
  /// The inverse of publish; with charges, where the force law has them, in the fourth float of the velocity.
  void unpack(CUdeviceptr position, CUdeviceptr velocity) const;

 private:
  void start(const char* kernel, Arguments& arguments, bool early = false) const;
  /// The state, these arrays, and which bodies.
  Arguments of_state(std::initializer_list<CUdeviceptr> arrays = {}) const;
  void add_bodies(Arguments& arguments) const;
  /// LOW_PARAMETER and FIELD_PARAMETER of the device code: nothing where it has none.
  void add_low(Arguments& arguments) const;
  void add_field(Arguments& arguments) const;
  /// What kernels find of a step's begin: `of_state`, both of these, and StateKernels::kept.
  Arguments of_begin(std::initializer_list<CUdeviceptr> arrays) const;
  void follow_slope(const MotionUpdate& c, double dt, CUdeviceptr accelerations, CUdeviceptr vertex_position,
                    CUdeviceptr vertex_velocity) const;
  void follow_jerks(const MotionUpdate& c, double dt, CUdeviceptr accelerations) const;
  void add_motion(Arguments& arguments, const MotionUpdate& c, double last_kick, double dt) const;
};

}  // namespace orrery::sim::cuda
