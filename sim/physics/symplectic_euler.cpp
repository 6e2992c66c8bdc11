#include "sim/physics/integrator.h"

namespace orrery::sim {

namespace {
void nothing(const Motion& /*motion*/, float /*dt*/) {}

// v += a dt; x += v dt with the new velocity: the update of the CUDA sample and of the reports. First order
// but symplectic. With velocities taken to lie half a step back it is leapfrog; initial conditions do not.
void kick_then_drift(const Motion& motion, float dt) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.velocity[i] += dt * motion.acceleration[i];
    motion.position[i] += dt * motion.velocity[i];
  }
}
}  // namespace

extern const Integrator symplectic_euler;
constinit const Integrator symplectic_euler{
    .name = "symplectic-euler",
    .meaning =
        "v += a dt, then x += v dt, as in the CUDA sample and the reports: first order, bounded errors",
    .order = 1,
    .starts_with_acceleration = false,
    .before_force = nothing,
    .after_force = kick_then_drift,
    .after = {.kick = 1.0, .drift = 1.0},
};

}  // namespace orrery::sim
