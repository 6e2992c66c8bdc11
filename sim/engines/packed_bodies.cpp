#include "sim/engines/packed_bodies.h"

#include <omp.h>

#include <algorithm>
#include <array>

namespace orrery::sim {

namespace {

void reframe_body(float* x, double factor, const DVec3& from, double last_factor) {
  x[0] = static_cast<float>(x[0] * factor + from.x);
  x[1] = static_cast<float>(x[1] * factor + from.y);
  x[2] = static_cast<float>(x[2] * factor + from.z);
  x[3] = static_cast<float>(x[3] * last_factor);
}

}  // namespace

void pack_bodies(const Bodies& bodies, bool charges, float* position, float* velocity,
                 std::span<const std::uint32_t> order) {
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t i = order.empty() ? k : order[k];
    const auto &x = bodies.position[i], &v = bodies.velocity[i];
    const float charge = charges ? bodies.charge[i] : 0.0F;
    std::ranges::copy(std::array{x.x, x.y, x.z, bodies.mass[i]}, position + 4 * k);
    if (velocity != nullptr) std::ranges::copy(std::array{v.x, v.y, v.z, charge}, velocity + 4 * k);
  }
}

void pack_bodies(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                 float* packed_position, float* packed_velocity, std::span<const Vec3> acceleration,
                 int threads) {
  const int team = threads > 0 ? threads : omp_get_max_threads();
#pragma omp parallel for schedule(static) num_threads(team) if (position.size() > worth_threads)
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3& x = position[i];
    const Vec3& v = velocity[i];
    float* p = packed_position + 4 * i;
    float* q = packed_velocity + 4 * i;
    p[0] = x.x, p[1] = x.y, p[2] = x.z, p[3] = mass[i];
    q[0] = v.x, q[1] = v.y, q[2] = v.z,
    q[3] = acceleration.empty() ? 0.0F : dot(acceleration[i], acceleration[i]);
  }
}

void unpack_bodies(const float* position, const float* velocity, Bodies& bodies,
                   std::span<const std::uint32_t> order) {
#pragma omp parallel for schedule(static) if (bodies.size() > worth_threads)
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t i = order.empty() ? k : order[k];
    const auto vector_in = [k](const float* packed) {
      return Vec3{packed[4 * k], packed[4 * k + 1], packed[4 * k + 2]};
    };
    if (position != nullptr) bodies.position[i] = vector_in(position);
    bodies.velocity[i] = vector_in(velocity);
  }
}

void reframe(const VertexFrame& frame, float* position, float* velocity, std::size_t bodies) {
#pragma omp parallel for schedule(static) if (bodies > worth_threads)
  for (std::size_t i = 0; i < bodies; ++i) {
    reframe_body(position + 4 * i, frame.length, frame.place, frame.mass);
    reframe_body(velocity + 4 * i, frame.velocity, frame.motion, frame.square);
  }
}

}  // namespace orrery::sim
