#include "sim/physics/integrator.h"

namespace orrery::sim {

namespace {
void nothing(const Motion& /*motion*/, float /*dt*/) {}

// x += v dt with the old velocity, v += a dt: the update of the 2-D report. Gains energy on every orbit.
void drift_then_kick(const Motion& motion, float dt) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.position[i] += dt * motion.velocity[i];
    motion.velocity[i] += dt * motion.acceleration[i];
  }
}
}  // namespace

extern const Integrator explicit_euler;
constinit const Integrator explicit_euler{
    .name = "explicit-euler",
    .meaning =
        "x += v dt with the old v, then v += a dt, as in the 2-D report: first order, orbits spiral outwards",
    .order = 1,
    .starts_with_acceleration = false,
    .before_force = nothing,
    .after_force = drift_then_kick,
    .after = {.kick = 1.0, .drift = 1.0, .with_new_velocity = false},
};

}  // namespace orrery::sim
