#include "sim/physics/integrators/integrator.h"

#include <algorithm>

#include "integrators.h"
#include "sim/physics/fields/external_field.h"

namespace orrery::sim {

namespace {

/// Motion of a single-precision state: every sum is rounded.
struct SingleState {
  const Motion& motion;
  float kick_dt, drift_dt;

  SingleState(const Motion& its_motion, double kick, double drift)
      : motion(its_motion), kick_dt(static_cast<float>(kick)), drift_dt(static_cast<float>(drift)) {}
  void kick(std::size_t i, const Vec3& a) const { motion.velocity[i] += kick_dt * a; }
  void drift(std::size_t i) const { motion.position[i] += drift_dt * motion.velocity[i]; }

  DVec3 position(std::size_t i) const { return DVec3(motion.position[i]); }
  DVec3 velocity(std::size_t i) const { return DVec3(motion.velocity[i]); }
  DVec3 velocity_begin(std::size_t i) const { return DVec3(motion.velocity_begin[i]); }
  /// From the begin of the step so far along these slopes.
  void set(std::size_t i, const DVec3& along, const DVec3& along_velocity) const {
    motion.position[i] = Vec3(DVec3(motion.position_begin[i]) + along);
    motion.velocity[i] = Vec3(DVec3(motion.velocity_begin[i]) + along_velocity);
  }
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

  DVec3 position(std::size_t i) const { return sum(motion.position[i], motion.position_low[i]); }
  DVec3 velocity(std::size_t i) const { return sum(motion.velocity[i], motion.velocity_low[i]); }
  DVec3 velocity_begin(std::size_t i) const {
    return sum(motion.velocity_begin[i], motion.velocity_begin_low[i]);
  }
  void set(std::size_t i, const DVec3& along, const DVec3& along_velocity) const {
    put(motion.position[i], motion.position_low[i],
        sum(motion.position_begin[i], motion.position_begin_low[i]) + along);
    put(motion.velocity[i], motion.velocity_low[i],
        sum(motion.velocity_begin[i], motion.velocity_begin_low[i]) + along_velocity);
  }
};

/// Adds the slope where the bodies are, and goes along it from the begin of the step, or along the sum.
template <typename State, typename Acceleration>
void follow_slopes(const MotionUpdate& update, const State& state, double dt,
                   const Acceleration& acceleration) {
  const auto& motion = state.motion;
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    const DVec3 v = state.velocity(i), a(acceleration(i));
    auto& x_sum = motion.position_slope[i];
    auto& v_sum = motion.velocity_slope[i];
    x_sum = update.first_slope ? update.slope * v : x_sum + update.slope * v;
    v_sum = update.first_slope ? update.slope * a : v_sum + update.slope * a;
    if (update.probe != 0.0)
      state.set(i, (update.probe * dt) * v, (update.probe * dt) * a);
    else
      state.set(i, dt * x_sum, dt * v_sum);
  }
}

/// All that acts on a body, and how fast that changes on its way.
struct Pull {
  DVec3 acceleration, jerk;
};

template <typename State>
Pull pull_on(const State& state, std::size_t i, double dt) {
  const auto& motion = state.motion;
  Pull pull{DVec3(motion.acceleration[i]), DVec3(motion.jerk[i])};
  if (motion.field == nullptr) return pull;
  const DVec3 x = state.position(i);
  pull.acceleration += motion.field->acceleration(x);
  // So short a way that the difference is the derivative, in double precision.
  const double way = dt / 1024.0;
  if (way == 0.0) return pull;
  const DVec3 ahead = way * state.velocity(i);
  pull.jerk += (0.5 / way) * (motion.field->acceleration(x + ahead) - motion.field->acceleration(x - ahead));
  return pull;
}

/// Taylor's series from the begin of the step.
template <typename State>
void predict(const State& state, double dt) {
  const auto& motion = state.motion;
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    const auto [a, j] = pull_on(state, i, dt);
    motion.acceleration_begin[i] = a;
    motion.jerk_begin[i] = j;
    const DVec3 along_velocity = dt * a + (dt * dt / 2.0) * j;
    state.set(i, dt * state.velocity_begin(i) + (dt * dt / 2.0) * a + (dt * dt * dt / 6.0) * j,
              along_velocity);
  }
}

/// Hermite's interpolation between the pulls at both ends: v' = v + (a + a') dt/2 + (j - j') dt^2/12, and x'
/// the same of v and a.
template <typename State>
void correct(const State& state, double dt) {
  const auto& motion = state.motion;
  for (std::size_t i = 0; i < motion.position.size(); ++i) {
    const auto [a, j] = pull_on(state, i, dt);
    const DVec3& a_begin = motion.acceleration_begin[i];
    const DVec3 along_velocity = (dt / 2.0) * (a_begin + a) + (dt * dt / 12.0) * (motion.jerk_begin[i] - j);
    state.set(i,
              dt * state.velocity_begin(i) + (dt / 2.0) * along_velocity + (dt * dt / 12.0) * (a_begin - a),
              along_velocity);
  }
}

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
void move_in(const MotionUpdate& update, const Motion& motion, double dt) {
  const State state(motion, update.kick * dt, update.drift * dt);
  if (update.predict) return predict(state, dt);
  if (update.correct) return correct(state, dt);
  const auto of_bodies = [&](std::size_t i) { return motion.acceleration[i]; };
  const auto with_field = [&](std::size_t i) {
    return motion.acceleration[i] + Vec3(motion.field->acceleration(DVec3(motion.position[i])));
  };
  if (update.slope != 0.0) {
    if (motion.field == nullptr) return follow_slopes(update, state, dt, of_bodies);
    return follow_slopes(update, state, dt, with_field);
  }
  const std::size_t bodies = motion.position.size();
  if (motion.field == nullptr) return move_all(update, state, bodies, of_bodies);
  move_all(update, state, bodies, with_field);
}

}  // namespace

Motion Motion::range(std::size_t first, std::size_t last) const {
  const auto part = [&](auto all) { return all.empty() ? all : all.subspan(first, last - first); };
  return {part(position),
          part(velocity),
          part(acceleration),
          part(position_low),
          part(velocity_low),
          field,
          part(position_begin),
          part(velocity_begin),
          part(position_begin_low),
          part(velocity_begin_low),
          part(position_slope),
          part(velocity_slope),
          part(jerk),
          part(acceleration_begin),
          part(jerk_begin)};
}

void MotionUpdate::apply(const Motion& motion, double dt) const {
  if (empty()) return;
  if (motion.compensated()) return move_in<CompensatedState>(*this, motion, dt);
  move_in<SingleState>(*this, motion, dt);
}

std::span<const Integrator* const> integrators() { return registry::integrators; }

const Integrator* find_integrator(std::string_view name) {
  const auto found =
      std::ranges::find_if(registry::integrators, [&](const Integrator* each) { return each->name == name; });
  return found == registry::integrators.end() ? nullptr : *found;
}

}  // namespace orrery::sim
