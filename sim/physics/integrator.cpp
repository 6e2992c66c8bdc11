#include "sim/physics/integrator.h"

#include <algorithm>

#include "integrators.h"

namespace orrery::sim {

namespace {

void kick_all(const Motion& motion, float kick) {
  for (std::size_t i = 0; i < motion.velocity.size(); ++i)
    motion.velocity[i] += kick * motion.acceleration[i];
}

void drift_all(const Motion& motion, float drift) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) motion.position[i] += drift * motion.velocity[i];
}

void kick_then_drift(const Motion& motion, float kick, float drift) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.velocity[i] += kick * motion.acceleration[i];
    motion.position[i] += drift * motion.velocity[i];
  }
}

void drift_then_kick(const Motion& motion, float kick, float drift) {
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    motion.position[i] += drift * motion.velocity[i];
    motion.velocity[i] += kick * motion.acceleration[i];
  }
}
}  // namespace

void MotionUpdate::apply(const Motion& motion, float dt) const {
  const auto kick_dt = static_cast<float>(kick * static_cast<double>(dt));
  const auto drift_dt = static_cast<float>(drift * static_cast<double>(dt));
  if (empty()) return;
  if (drift == 0.0) return kick_all(motion, kick_dt);
  if (kick == 0.0) return drift_all(motion, drift_dt);
  if (kick_first) return kick_then_drift(motion, kick_dt, drift_dt);
  drift_then_kick(motion, kick_dt, drift_dt);
}

std::span<const Integrator* const> integrators() { return registry::integrators; }

const Integrator* find_integrator(std::string_view name) {
  const auto found =
      std::ranges::find_if(registry::integrators, [&](const Integrator* each) { return each->name == name; });
  return found == registry::integrators.end() ? nullptr : *found;
}

}  // namespace orrery::sim
