#include "sim/physics/integrator.h"

namespace orrery::sim {

namespace {
// Kick-drift-kick (velocity Verlet): v += a dt/2; x += v dt; new forces; v += a dt/2. Second order,
// time-reversible and symplectic, so the energy error stays bounded (Hairer, Lubich & Wanner 2003,
// "Geometric numerical integration illustrated by the Stoermer-Verlet method").
void kick_and_drift(const Motion& motion, float dt) {
  const float half = 0.5F * dt;
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.velocity[i] += half * motion.acceleration[i];
    motion.position[i] += dt * motion.velocity[i];
  }
}

void kick(const Motion& motion, float dt) {
  const float half = 0.5F * dt;
  for (std::size_t i = 0; i < motion.velocity.size(); ++i) {
    motion.velocity[i] += half * motion.acceleration[i];
  }
}
}  // namespace

extern const Integrator leapfrog;
constinit const Integrator leapfrog{
    .name = "leapfrog",
    .meaning = "kick-drift-kick leapfrog, second order: energy errors stay bounded",
    .order = 2,
    .starts_with_acceleration = true,
    .before_force = kick_and_drift,
    .after_force = kick,
    .before = {.kick = 0.5, .drift = 1.0},
    .after = {.kick = 0.5},
};

}  // namespace orrery::sim
