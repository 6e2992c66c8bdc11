#include "direct_forces.h"

#include <omp.h>

#include <cmath>
#include <limits>
#include <utility>

#include "sim/cpu/kernel.h"

namespace orrery::sim {

namespace {

/// From here on a run of thousands of steps would take a minute by the plain loop.
constexpr std::size_t many = 1024;

/// The same by vector instructions, as test_simd and test_engine have judged it.
void vector_accelerations(std::span<const Vec3> position, std::span<const float> mass, float softening,
                          std::span<Vec3> acceleration) {
  const std::vector<GalaxyRange> galaxies{{0, position.size()}};
  std::vector<Vec3> scratch;
  find_cpu_kernel("simd")->evaluate({.position = position,
                                     .mass = mass,
                                     .galaxies = galaxies,
                                     .softening_squared = softening * softening,
                                     .threads = omp_get_max_threads(),
                                     .acceleration = acceleration,
                                     .scratch = &scratch});
}

}  // namespace

void direct_accelerations(std::span<const Vec3> position, std::span<const float> mass, float softening,
                          std::span<Vec3> acceleration) {
  const std::size_t n = position.size();
  if (n >= many) return vector_accelerations(position, mass, softening, acceleration);
  std::vector<float> xs(n), ys(n), zs(n);
  for (std::size_t i = 0; i < n; ++i) xs[i] = position[i].x, ys[i] = position[i].y, zs[i] = position[i].z;
  const float *x = xs.data(), *y = ys.data(), *z = zs.data(), *m = mass.data();
  const float eps2 = softening * softening;
#pragma omp parallel for if (n > 500)
  for (std::size_t i = 0; i < n; ++i) {
    float ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : ax, ay, az)
    for (std::size_t j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float sum = dx * dx + dy * dy + dz * dz + eps2;
      const float r2 = sum > 0.0F ? sum : std::numeric_limits<float>::infinity();
      const float weight = m[j] / (r2 * std::sqrt(r2));
      ax += weight * dx, ay += weight * dy, az += weight * dz;
    }
    acceleration[i] = {ax, ay, az};
  }
}

void direct_jerks(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                  float softening, std::span<Vec3> jerk) {
  for (std::size_t i = 0; i < position.size(); ++i) {
    DVec3 sum;
    for (std::size_t j = 0; j < position.size(); ++j) {
      if (i == j) continue;
      const DVec3 r = DVec3(position[j]) - DVec3(position[i]), u = DVec3(velocity[j]) - DVec3(velocity[i]);
      const double d2 = dot(r, r) + double{softening} * softening;
      sum += (mass[j] / std::pow(d2, 1.5)) * u - (3.0 * mass[j] * dot(r, u) / std::pow(d2, 2.5)) * r;
    }
    jerk[i] = Vec3(sum);
  }
}

DirectStepper::DirectStepper(const Integrator& integrator, std::vector<Vec3> position,
                             std::vector<Vec3> velocity, std::vector<float> mass, float softening, Move move)
    : integrator_(integrator),
      move_(std::move(move)),
      position_(std::move(position)),
      velocity_(std::move(velocity)),
      acceleration_(position_.size()),
      jerk_(position_.size()),
      mass_(std::move(mass)),
      softening_(softening) {
  evaluate();
  if (!move_) {
    move_ = [](const MotionUpdate& update, const Motion& motion, float dt, bool) {
      update.apply(motion, dt);
    };
  }
}

void DirectStepper::evaluate() {
  direct_accelerations(position_, mass_, softening_, acceleration_);
  if (integrator_.has_jerks()) direct_jerks(position_, velocity_, mass_, softening_, jerk_);
}

void DirectStepper::advance(int steps, float dt) {
  std::vector<DVec3> position_slope(position_.size()), velocity_slope(position_.size());
  std::vector<DVec3> acceleration_begin(position_.size()), jerk_begin(position_.size());
  Motion motion{position_, velocity_, acceleration_};
  motion.position_slope = position_slope;
  motion.velocity_slope = velocity_slope;
  motion.jerk = jerk_;
  motion.acceleration_begin = acceleration_begin;
  motion.jerk_begin = jerk_begin;
  for (int step = 0; step < steps; ++step) {
    const auto position = position_, velocity = velocity_;
    motion.position_begin = position;
    motion.velocity_begin = velocity;
    for (std::size_t k = 0; k < integrator_.evaluations(); ++k) {
      move_(integrator_.update(k), motion, dt, false);
      evaluate();
    }
    move_(integrator_.last_update(), motion, dt, true);
  }
}

}  // namespace orrery::sim
