#pragma once

#include "sim/physics/fields/external_field.h"
#include "tests/sim/cuda/emulator/step_kernels.h"

namespace orrery::sim::cuda::emulator {

/// The update of an integrator with slopes or jerks, by its kernel, of all bodies, where `field` acts too.
void move_in_field(StepState& state, const MotionUpdate& update, double dt, const FieldAt& field);

}  // namespace orrery::sim::cuda::emulator
