#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sim/core/vec3.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

/// Softened accelerations (G = 1) by direct summation in single precision, all bodies in one galaxy; pairs at
/// zero softened distance left out. Small and obvious; a thousand bodies and more by the kernel "simd".
/// Engines are not tested against this, integrators and models are.
void direct_accelerations(std::span<const Vec3> position, std::span<const float> mass, float softening,
                          std::span<Vec3> acceleration);

/// The same of da/dt, for bodies that move with `velocity`.
void direct_jerks(std::span<const Vec3> position, std::span<const Vec3> velocity, std::span<const float> mass,
                  float softening, std::span<Vec3> jerk);

/// How a stepper moves bodies: by `update`, if it is right. `last`: the one that ends a step.
using Move = std::function<void(const MotionUpdate& update, const Motion& motion, double dt, bool last)>;

/// Steps bodies with an Integrator and direct_accelerations.
class DirectStepper {
 public:
  DirectStepper(const Integrator& integrator, std::vector<Vec3> position, std::vector<Vec3> velocity,
                std::vector<float> mass, float softening, Move move = {});
  void advance(int steps, float dt);
  const std::vector<Vec3>& position() const { return position_; }
  const std::vector<Vec3>& velocity() const { return velocity_; }

 private:
  void evaluate();

  const Integrator& integrator_;
  Move move_;
  std::vector<Vec3> position_, velocity_, acceleration_, jerk_;
  std::vector<float> mass_;
  float softening_;
};

}  // namespace orrery::sim
