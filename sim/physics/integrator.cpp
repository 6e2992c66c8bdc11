#include "sim/physics/integrator.h"

#include <algorithm>

#include "integrators.h"
#include "sim/physics/external_field.h"

namespace orrery::sim {

namespace {

/// How a state in single precision moves: every sum is rounded.
struct SingleState {
  const Motion& motion;
  float kick_dt, drift_dt;

  SingleState(const Motion& its_motion, double kick, double drift)
      : motion(its_motion), kick_dt(static_cast<float>(kick)), drift_dt(static_cast<float>(drift)) {}
  void kick(std::size_t i, const Vec3& a) const { motion.velocity[i] += kick_dt * a; }
  void drift(std::size_t i) const { motion.position[i] += drift_dt * motion.velocity[i]; }
};

/// The same with what single precision leaves out kept beside it: the sums are made in double precision, and
/// two floats hold 48 bits of each.
struct CompensatedState {
  const Motion& motion;
  double kick_dt, drift_dt;

  CompensatedState(const Motion& its_motion, double kick, double drift)
      : motion(its_motion), kick_dt(kick), drift_dt(drift) {}
  static DVec3 sum(const Vec3& high, const Vec3& low) { return DVec3(high) + DVec3(low); }
  /// By numbers: of whole vectors GCC 12.2 at -O2 takes the rounded for the exact, and the rest is lost.
  static void put(float& high, float& low, double value) {
    high = static_cast<float>(value);
    low = static_cast<float>(value - static_cast<double>(high));
  }
  static void put(Vec3& high, Vec3& low, const DVec3& value) {
    put(high.x, low.x, value.x);
    put(high.y, low.y, value.y);
    put(high.z, low.z, value.z);
  }
  void kick(std::size_t i, const Vec3& a) const {
    put(motion.velocity[i], motion.velocity_low[i],
        sum(motion.velocity[i], motion.velocity_low[i]) + kick_dt * DVec3(a));
  }
  void drift(std::size_t i) const {
    put(motion.position[i], motion.position_low[i],
        sum(motion.position[i], motion.position_low[i]) +
            drift_dt * sum(motion.velocity[i], motion.velocity_low[i]));
  }
};

/// Kicks and drifts all bodies; `acceleration(i)` is asked for before body i moves.
template <typename State, typename Acceleration>
void move_all(const MotionUpdate& update, const State& state, std::size_t bodies,
              const Acceleration& acceleration) {
  if (update.kick == 0.0) {
    for (std::size_t i = 0; i < bodies; ++i) state.drift(i);
  } else if (update.drift == 0.0) {
    for (std::size_t i = 0; i < bodies; ++i) state.kick(i, acceleration(i));
  } else if (update.kick_first) {
    for (std::size_t i = 0; i < bodies; ++i) {
      state.kick(i, acceleration(i));
      state.drift(i);
    }
  } else {
    for (std::size_t i = 0; i < bodies; ++i) {
      const Vec3 a = acceleration(i);
      state.drift(i);
      state.kick(i, a);
    }
  }
}

template <typename State>
void move_in(const MotionUpdate& update, const Motion& motion, const State& state) {
  const auto of_bodies = [&](std::size_t i) { return motion.acceleration[i]; };
  const auto with_field = [&](std::size_t i) {
    return motion.acceleration[i] + Vec3(motion.field->acceleration(DVec3(motion.position[i])));
  };
  const std::size_t bodies = motion.position.size();
  if (motion.field == nullptr) return move_all(update, state, bodies, of_bodies);
  move_all(update, state, bodies, with_field);
}

}  // namespace

void MotionUpdate::apply(const Motion& motion, double dt) const {
  if (empty()) return;
  if (motion.compensated()) return move_in(*this, motion, CompensatedState(motion, kick * dt, drift * dt));
  move_in(*this, motion, SingleState(motion, kick * dt, drift * dt));
}

std::span<const Integrator* const> integrators() { return registry::integrators; }

const Integrator* find_integrator(std::string_view name) {
  const auto found =
      std::ranges::find_if(registry::integrators, [&](const Integrator* each) { return each->name == name; });
  return found == registry::integrators.end() ? nullptr : *found;
}

}  // namespace orrery::sim
