#include "tests/sim/cuda/emulator/field_kernels.h"

#include <stdexcept>

#include "sim/cuda/emulator/device_language.h"

#define CONSTANT_COUNT 2
#define COMPENSATED 1
#define FIELD 1
#include "tests/sim/cuda/emulator/kernel_settings.h"
// Kernels have no namespace: step_kernels.cpp has the same ones without a field.
#define follow_slope follow_slope_in_field
#define jerks jerks_in_field
#define predict predict_in_field
#define correct correct_in_field

namespace orrery::sim::cuda::device::in_field {
#include "sim/cuda/device/shared.h"
//
#include "sim/cuda/device/common.cuh"
//
#include "sim/cuda/laws/gravity.cuh"
//
#include "sim/cuda/device/sums.cuh"
//
#include "sim/cuda/device/field.cuh"

namespace point_mass {
#include "sim/cuda/fields/point_mass.cuh"
}
namespace logarithmic {
#include "sim/cuda/fields/logarithmic.cuh"
}
namespace miyamoto_nagai {
#include "sim/cuda/fields/miyamoto_nagai.cuh"
}
namespace nfw {
#include "sim/cuda/fields/nfw.cuh"
}

/// One code for all fields: this one acts.
struct FieldCode {
  std::string_view name;
  real3 (*acceleration)(const Field& field, const real3& x);
  real3 (*jerk)(const Field& field, const real3& x, const real3& v);
};
constexpr FieldCode all_codes[] = {
    {"point-mass", point_mass::field_acceleration, point_mass::field_jerk},
    {"logarithmic", logarithmic::field_acceleration, logarithmic::field_jerk},
    {"miyamoto-nagai", miyamoto_nagai::field_acceleration, miyamoto_nagai::field_jerk},
    {"nfw", nfw::field_acceleration, nfw::field_jerk},
};
static const FieldCode* chosen = nullptr;
static real3 field_acceleration(const Field& field, const real3& x) { return chosen->acceleration(field, x); }
static real3 field_jerk(const Field& field, const real3& x, const real3& v) {
  return chosen->jerk(field, x, v);
}

#include "sim/cuda/device/pulls.cuh"
//
#include "sim/cuda/device/steps.cuh"
//
#include "sim/cuda/device/slopes.cu"
//
#include "sim/cuda/laws/gravity_jerk.cuh"
//
#include "sim/cuda/device/jerks.cu"
}  // namespace orrery::sim::cuda::device::in_field

#undef follow_slope
#undef jerks
#undef predict
#undef correct

namespace orrery::sim::cuda::emulator {

namespace {

namespace code = device::in_field;
constexpr unsigned field_block = 64, field_seed = 11;

code::Bodies in_memory(StepState& state) {
  return {reinterpret_cast<device::float4*>(state.position.data()),
          reinterpret_cast<device::float4*>(state.velocity.data())};
}

code::Field numbers_of(const FieldConstants& c) {
  const auto real = [](double number) { return static_cast<float>(number); };
  return {real(c.gm),         real(c.speed_squared), real(c.radius),   real(c.height),
          real(c.flattening), real(c.centre.x),      real(c.centre.y), real(c.centre.z)};
}

const code::FieldCode& code_of(std::string_view field) {
  for (const auto& each : code::all_codes) {
    if (each.name == field) return each;
  }
  throw std::invalid_argument("a field without device code here");
}

}  // namespace

void move_in_field(StepState& state, const MotionUpdate& update, double dt, const FieldAt& field) {
  code::chosen = &code_of(field.field->name);
  const auto numbers = numbers_of(field.constants);
  const auto count = static_cast<unsigned>(state.size());
  const auto kernel = [&] {
    if (update.slope != 0.0)
      code::follow_slope_in_field(in_memory(state), state.acceleration.data(), 0, count, state.low.data(),
                                  numbers, state.kept.data(), count, update.slope, update.probe, dt,
                                  update.first_slope ? 1 : 0, nullptr, nullptr);
    else
      (update.predict ? code::predict_in_field : code::correct_in_field)(
          in_memory(state), state.acceleration.data(), state.jerk.data(), 0, count, state.low.data(), numbers,
          state.kept.data(), count, dt);
  };
  run({(count + field_block - 1) / field_block, 1, 1}, {field_block, 1, 1}, kernel, field_seed);
}

}  // namespace orrery::sim::cuda::emulator
