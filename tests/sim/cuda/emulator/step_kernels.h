#pragma once

#include <cstddef>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/bodies/partition.h"
#include "sim/engines/packed_bodies.h"
#include "sim/physics/integrators/integrator.h"
#include "sim/physics/laws/force_law.h"

namespace orrery::sim::cuda::emulator {

/// Bodies as the device code sees them: layout float4, a compensated state.
struct StepState {
  std::vector<float> position, velocity;  ///< 4 a body: x y z mass, vx vy vz 0
  std::vector<float> low;                 ///< 6 a body
  std::vector<float> acceleration, jerk;  ///< 3 a body
  std::vector<double> kept;               ///< kept_doubles a body
  std::size_t size() const { return low.size() / 6; }

  explicit StepState(const Bodies& bodies);
  DVec3 exact_position(std::size_t i) const;
  DVec3 exact_velocity(std::size_t i) const;
};

/// The update of an integrator with slopes or jerks, by its kernel, of `bodies`. `vertices`: 8 floats a body,
/// positions first, or empty.
void move(StepState& state, const MotionUpdate& update, double dt, BodyRange bodies,
          std::vector<float>* vertices = nullptr);

/// The jerks of `targets` by `sources`, with blocks of so many threads.
void sum_jerks(StepState& state, const DeviceConstants& constants, GalaxyRange sources, BodyRange targets,
               unsigned block, unsigned seed);

/// As the device code's StepMoment (sim/cuda/device/shared.h).
struct Moment {
  double step, accuracy, length;
  unsigned now;
  bool ends, begins;
};

/// Memory that the kernels of block time steps share.
struct OwnSteps {
  std::vector<unsigned char> level;     ///< of each body
  std::vector<unsigned> galaxy_starts;  ///< and the end
  unsigned deepest = 0;
  std::vector<unsigned> list, starts;  ///< active bodies, and where those of a galaxy begin
};

/// Kicks of a moment; where steps begin, drifts to the next one and lists who is active there.
void advance(StepState& state, const Moment& moment, OwnSteps& steps);
/// All bodies and behind them the active ones: 4 floats each.
std::vector<float> gathered(StepState& state, const OwnSteps& steps);
/// Into the accelerations: `found` has 3 floats for each active body.
void scatter(StepState& state, const OwnSteps& steps, std::vector<float>& found);

/// The largest |a| of `bodies`, by so many blocks.
float largest_acceleration(StepState& state, BodyRange bodies, unsigned blocks);

/// Converts the vertices of `bodies`, 8 floats per body, positions first, to another frame.
void reframe(const VertexFrame& frame, std::vector<float>& vertices, BodyRange bodies);

}  // namespace orrery::sim::cuda::emulator
