#include "tests/sim/cuda/emulator/step_kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/cuda/emulator/device_language.h"

#define CONSTANT_COUNT 2
#define COMPENSATED 1
#define FIELD 0
#include "tests/sim/cuda/emulator/kernel_settings.h"

namespace orrery::sim::cuda::device::steps {
#include "sim/cuda/device/shared.h"
//
#include "sim/cuda/device/common.cuh"
//
#include "sim/cuda/laws/gravity.cuh"
//
#include "sim/cuda/device/sums.cuh"
//
#include "sim/cuda/device/field.cuh"
//
#include "sim/cuda/device/pulls.cuh"
//
#include "sim/cuda/device/steps.cuh"
//
#include "sim/cuda/device/slopes.cu"
//
#include "sim/cuda/laws/gravity_jerk.cuh"
//
#include "sim/cuda/device/jerks.cu"
//
#include "sim/cuda/device/largest_acceleration.cu"
//
#include "sim/cuda/device/individual_steps.cu"
//
#include "sim/cuda/device/vertices.cu"
}  // namespace orrery::sim::cuda::device::steps

namespace orrery::sim::cuda::emulator {

namespace {

namespace code = device::steps;
constexpr unsigned block_threads = 64, any_seed = 7;

code::Bodies of_device(StepState& state) {
  return {reinterpret_cast<device::float4*>(state.position.data()),
          reinterpret_cast<device::float4*>(state.velocity.data())};
}

unsigned blocks_of(BodyRange bodies, unsigned block) {
  return static_cast<unsigned>((bodies.size() + block - 1) / block);
}

DVec3 exact(const std::vector<float>& high, const std::vector<float>& low, std::size_t i, std::size_t from) {
  const auto number = [&](std::size_t k) { return double{high[4 * i + k]} + double{low[6 * i + from + k]}; };
  return {number(0), number(1), number(2)};
}

}  // namespace

StepState::StepState(const Bodies& bodies)
    : low(6 * bodies.size()),
      acceleration(3 * bodies.size()),
      jerk(3 * bodies.size()),
      kept(12 * bodies.size(), -1e30) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto &x = bodies.position[i], &v = bodies.velocity[i];
    position.insert(position.end(), {x.x, x.y, x.z, bodies.mass[i]});
    velocity.insert(velocity.end(), {v.x, v.y, v.z, 0.0F});
  }
}

DVec3 StepState::exact_position(std::size_t i) const { return exact(position, low, i, 0); }
DVec3 StepState::exact_velocity(std::size_t i) const { return exact(velocity, low, i, 3); }

void move(StepState& state, const MotionUpdate& update, double dt, BodyRange bodies,
          std::vector<float>* vertices) {
  const auto first = static_cast<unsigned>(bodies.first), last = static_cast<unsigned>(bodies.last);
  const auto count = static_cast<unsigned>(state.size());
  auto* places = vertices == nullptr ? nullptr : reinterpret_cast<device::float4*>(vertices->data());
  const auto kernel = [&] {
    if (update.slope != 0.0)
      code::follow_slope(of_device(state), state.acceleration.data(), first, last, state.low.data(),
                         state.kept.data(), count, update.slope, update.probe, dt, update.first_slope ? 1 : 0,
                         places, places == nullptr ? nullptr : places + count);
    else
      (update.predict ? code::predict : code::correct)(of_device(state), state.acceleration.data(),
                                                       state.jerk.data(), first, last, state.low.data(),
                                                       state.kept.data(), count, dt);
  };
  run({blocks_of(bodies, block_threads), 1, 1}, {block_threads, 1, 1}, kernel, any_seed);
}

void sum_jerks(StepState& state, const DeviceConstants& constants, GalaxyRange sources, BodyRange targets,
               unsigned block, unsigned seed) {
  const code::Constants values{static_cast<float>(constants.value[0]),
                               static_cast<float>(constants.value[1])};
  const auto kernel = [&] {
    code::jerks(values, of_device(state), state.jerk.data(), static_cast<unsigned>(sources.first),
                static_cast<unsigned>(sources.last), static_cast<unsigned>(targets.first),
                static_cast<unsigned>(targets.last));
  };
  run({blocks_of(targets, block), 1, 1}, {block, 1, 1}, kernel, seed);
}

void advance(StepState& state, const Moment& moment, OwnSteps& steps) {
  const auto count = static_cast<unsigned>(state.size());
  const code::StepMoment now{moment.step, moment.accuracy,     moment.length,
                             moment.now,  moment.ends ? 1 : 0, moment.begins ? 1 : 0};
  const unsigned blocks = blocks_of({0, count}, code::moving_block);
  const auto each = [&](unsigned grid, unsigned block, const auto& kernel) {
    run({grid, 1, 1}, {block, 1, 1}, kernel, any_seed + moment.now);
  };
  steps.deepest = 0;
  each(blocks, code::moving_block, [&] {
    code::kick_active(of_device(state), state.acceleration.data(), 0, count, state.low.data(), now,
                      steps.level.data(), &steps.deepest);
  });
  if (!moment.begins) return;
  std::vector<unsigned> active(blocks + 1), list(count), notes(steps.galaxy_starts.size() + 1);
  each(blocks, code::moving_block, [&] {
    code::drift_all(of_device(state), 0, count, state.low.data(), now, steps.level.data(), &steps.deepest,
                    active.data());
  });
  each(1, code::counting_block, [&] { code::sum_before(active.data(), blocks); });
  each(blocks, code::moving_block, [&] {
    code::list_active(0, count, moment.now, steps.level.data(), &steps.deepest, active.data(), list.data());
  });
  const auto galaxies = static_cast<unsigned>(steps.galaxy_starts.size() - 1);
  each(1, code::moving_block, [&] {
    code::note_active(&steps.deepest, list.data(), &active[blocks], steps.galaxy_starts.data(), galaxies,
                      notes.data());
  });
  steps.starts.assign(notes.begin() + 1, notes.end());
  steps.list.assign(list.begin(), list.begin() + steps.starts.back());
}

std::vector<float> gathered(StepState& state, const OwnSteps& steps) {
  const auto count = static_cast<unsigned>(state.size()), active = static_cast<unsigned>(steps.list.size());
  std::vector<float> all(4 * (std::size_t{count} + active)), velocity;
  const code::Bodies to{reinterpret_cast<device::float4*>(all.data()),
                        reinterpret_cast<device::float4*>(velocity.data())};
  const auto kernel = [&] { code::gather_active(of_device(state), to, count, steps.list.data(), active); };
  run({blocks_of({0, count + active}, block_threads), 1, 1}, {block_threads, 1, 1}, kernel, any_seed);
  return all;
}

void scatter(StepState& state, const OwnSteps& steps, std::vector<float>& found) {
  const auto active = static_cast<unsigned>(steps.list.size());
  const auto kernel = [&] {
    code::scatter_active(found.data(), steps.list.data(), active, state.acceleration.data());
  };
  run({blocks_of({0, active}, block_threads), 1, 1}, {block_threads, 1, 1}, kernel, any_seed);
}

float largest_acceleration(StepState& state, BodyRange bodies, unsigned blocks) {
  unsigned largest = 0;
  const auto kernel = [&] {
    code::largest_acceleration(of_device(state), state.acceleration.data(),
                               static_cast<unsigned>(bodies.first), static_cast<unsigned>(bodies.last),
                               &largest);
  };
  run({blocks, 1, 1}, {block_threads, 1, 1}, kernel, any_seed);
  return std::bit_cast<float>(largest);
}

void reframe(const VertexFrame& frame, std::vector<float>& vertices, BodyRange bodies) {
  code::VertexFrame numbers;
  static_assert(sizeof numbers == sizeof frame);
  std::memcpy(&numbers, &frame, sizeof frame);
  auto* places = reinterpret_cast<device::float4*>(vertices.data());
  const auto kernel = [&] {
    code::reframe(numbers, static_cast<unsigned>(bodies.first), static_cast<unsigned>(bodies.last), places,
                  places + vertices.size() / 8);
  };
  run({blocks_of(bodies, block_threads), 1, 1}, {block_threads, 1, 1}, kernel, any_seed);
}

}  // namespace orrery::sim::cuda::emulator
