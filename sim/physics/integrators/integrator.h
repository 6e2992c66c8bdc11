#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/core/vec3.h"

namespace orrery::sim {

struct FieldAt;  // sim/physics/fields/external_field.h

/// The part of the state that an integrator changes, for a range of bodies. Views, owned by the engine.
struct Motion {
  std::span<Vec3> position;
  std::span<Vec3> velocity;
  std::span<const Vec3> acceleration;
  /// The low parts of position and velocity: the state is the sum of both, with 48 bits.
  /// Empty: there is none, and updates compute in single precision.
  std::span<Vec3> position_low = {};
  std::span<Vec3> velocity_low = {};
  const FieldAt* field = nullptr;  ///< acts besides `acceleration`, where the bodies are; nullptr: none
  /// The state at the begin of the step, and the sums of the step's slopes (dx/dt, dv/dt) so far: of methods
  /// with slopes. Empty: there are none.
  std::span<const Vec3> position_begin = {};
  std::span<const Vec3> velocity_begin = {};
  std::span<const Vec3> position_begin_low = {};
  std::span<const Vec3> velocity_begin_low = {};
  std::span<DVec3> position_slope = {};
  std::span<DVec3> velocity_slope = {};
  /// da/dt where the bodies are, and all that acted at the begin of the step: of methods with jerks, which
  /// also read the state there. `predict` writes the latter two. Empty: there are none.
  std::span<const Vec3> jerk = {};
  std::span<DVec3> acceleration_begin = {};
  std::span<DVec3> jerk_begin = {};

  bool compensated() const { return !position_low.empty(); }
  /// The motion of bodies [first, last), the share of one thread of a parallel update.
  Motion range(std::size_t first, std::size_t last) const;
};

/// One stage of a step: new forces, a kick v += part dt a, or a drift x += part dt v. Runge-Kutta methods
/// have others: `slope` adds part (v, a) to the step's sum, `probe` goes from the begin of the step part dt
/// along the slope that was added last, and `finish` from there dt along the sum. Hermite methods sum jerks
/// with the forces: `predict` goes along those of the begin, `correct` along both ends'.
struct Stage {
  enum class Kind { force, kick, drift, slope, probe, finish, predict, correct };
  Kind kind = Kind::force;
  double part = 0.0;

  friend constexpr bool operator==(const Stage&, const Stage&) = default;
  static constexpr Stage force() { return {}; }
  static constexpr Stage kick(double part) { return {Kind::kick, part}; }
  static constexpr Stage drift(double part) { return {Kind::drift, part}; }
  static constexpr Stage slope(double part) { return {Kind::slope, part}; }
  static constexpr Stage probe(double part) { return {Kind::probe, part}; }
  static constexpr Stage finish() { return {Kind::finish, 0.0}; }
  static constexpr Stage predict() { return {Kind::predict, 0.0}; }
  static constexpr Stage correct() { return {Kind::correct, 0.0}; }
};

/// The stages between two force evaluations as one pass over the bodies, which engines make at once: a kick
/// and a drift, either of which may be 0, or a slope and where it leads, or a prediction or its correction.
struct MotionUpdate {
  double kick = 0.0;
  double drift = 0.0;
  bool kick_first = true;    ///< the drift is with the new velocity, else with the old one
  double slope = 0.0;        ///< weight of a Runge-Kutta slope; if not 0, kick and drift are 0
  bool first_slope = false;  ///< the sum begins
  double probe = 0.0;        ///< 0: the step ends along the sum
  bool predict = false;      ///< a Hermite prediction; excludes all other members
  bool correct = false;

  constexpr bool empty() const { return kick == 0.0 && !moves(); }
  /// True if it changes positions.
  constexpr bool moves() const { return drift != 0.0 || slope != 0.0 || predict || correct; }
  /// Works body by body, so any split of the bodies among threads gives the same bits.
  void apply(const Motion& motion, double dt) const;
  friend constexpr bool operator==(const MotionUpdate&, const MotionUpdate&) = default;
};

/// One way to advance bodies by dt: a list of stages, from which engines derive what they do and when. Each
/// lives in its own file; adding one takes that file and one line in CMakeLists.txt of this folder.
struct Integrator {
  std::string_view name;     ///< as in --set integrator=NAME
  std::string_view meaning;  ///< one line for the panel and the help
  int order;                 ///< global error ~ dt^order
  std::span<const Stage> stages;

  /// Force evaluations of a step, at least 1.
  constexpr std::size_t evaluations() const;
  /// The update before evaluation k of a step, counted from 0; after the last one if k is evaluations().
  constexpr MotionUpdate update(std::size_t k) const;
  /// The updates that begin a step, before its forces, and that end it.
  constexpr MotionUpdate first_update() const { return update(0); }
  constexpr MotionUpdate last_update() const { return update(evaluations()); }
  /// True if a step begins with a kick, or with a prediction: engines then evaluate the forces once when they
  /// load bodies.
  constexpr bool starts_with_acceleration() const {
    return first_update().kick != 0.0 || first_update().predict;
  }
  /// True if the forces evaluated last are those that the next step begins with.
  constexpr bool keeps_acceleration() const {
    return starts_with_acceleration() && last_update().drift == 0.0;
  }
  /// True if the kick that ends a step and the update that begins the next can be one pass over the bodies.
  constexpr bool last_kick_can_wait() const {
    return keeps_acceleration() && first_update().drift != 0.0 && first_update().kick_first;
  }
  /// True if it needs the state of the begin of a step and sums of slopes: Runge-Kutta methods.
  constexpr bool has_slopes() const;
  /// True if every force evaluation of it also sums jerks: Hermite methods.
  constexpr bool has_jerks() const { return first_update().predict; }
  /// True if a step back with -dt undoes a step (of forces that do not depend on velocities): kicks and
  /// drifts are the same read from the end.
  constexpr bool is_symmetric() const;
  /// True if forces and update can be one kernel, which does either
  /// - all of a step: forces once, then a whole kick and a whole drift (Euler); or
  /// - the kick that ends a step and the kick and drift that begin the next one: `fuses_ahead` (leapfrog).
  constexpr bool can_fuse() const {
    const auto last = last_update();
    return fuses_ahead() ||
           (evaluations() == 1 && first_update().empty() && last.kick == 1.0 && last.drift == 1.0);
  }
  /// See the comment above.
  constexpr bool fuses_ahead() const { return evaluations() == 1 && last_kick_can_wait(); }
};

/// True if engines can make these stages: between two forces at most one kick and one drift, forces at all,
/// and kicks and drifts of one dt in sum; or after each force a slope and a probe, after the last one the
/// finish, and slopes of 1 in sum; or a prediction, and corrections between forces. Integrators assert it.
constexpr bool well_formed(std::span<const Stage> stages);

/// All integrators, the default (leapfrog) first.
std::span<const Integrator* const> integrators();
/// The integrator of that name, or nullptr.
const Integrator* find_integrator(std::string_view name);

/// Kick-drift-kick, the default.
extern const Integrator leapfrog;

constexpr std::size_t Integrator::evaluations() const {
  std::size_t count = 0;
  for (const auto& stage : stages) count += stage.kind == Stage::Kind::force ? 1U : 0U;
  return count;
}

constexpr MotionUpdate Integrator::update(std::size_t k) const {
  MotionUpdate update;
  std::size_t evaluation = 0;
  for (const auto& stage : stages) {
    if (stage.kind == Stage::Kind::force) {
      ++evaluation;
    } else if (evaluation == k && stage.kind == Stage::Kind::kick) {
      update.kick = stage.part;
      update.kick_first = update.drift == 0.0;
    } else if (evaluation == k && stage.kind == Stage::Kind::drift) {
      update.drift = stage.part;
    } else if (evaluation == k && stage.kind == Stage::Kind::slope) {
      update.slope = stage.part;
      update.first_slope = k == 1;
    } else if (evaluation == k && stage.kind == Stage::Kind::probe) {
      update.probe = stage.part;
    } else if (evaluation == k && stage.kind == Stage::Kind::predict) {
      update.predict = true;
    } else if (evaluation == k && stage.kind == Stage::Kind::correct) {
      update.correct = true;
    }
  }
  return update;
}
constexpr bool Integrator::has_slopes() const {
  for (const auto& stage : stages)
    if (stage.kind == Stage::Kind::slope) return true;
  return false;
}
constexpr bool Integrator::is_symmetric() const {
  if (has_slopes() || has_jerks()) return false;
  std::size_t first = 0, last = stages.size();
  while (first < last) {
    if (stages[first].kind == Stage::Kind::force) {
      ++first;
    } else if (stages[last - 1].kind == Stage::Kind::force) {
      --last;
    } else if (stages[first] != stages[last - 1]) {
      return false;
    } else {
      ++first;
      --last;
    }
  }
  return true;
}
/// True but for rounding.
constexpr bool is_one(double sum) { return sum > 1.0 - 1e-14 && sum < 1.0 + 1e-14; }
/// True of force, slope, probe, force, slope, ..., finish.
constexpr bool well_formed_slopes(std::span<const Stage> stages) {
  double sum = 0.0;
  if (stages.size() % 3 != 0) return false;
  for (std::size_t k = 0; k < stages.size(); k += 3) {
    const auto then = k + 3 == stages.size() ? Stage::Kind::finish : Stage::Kind::probe;
    if (stages[k].kind != Stage::Kind::force || stages[k + 1].kind != Stage::Kind::slope ||
        stages[k + 1].part == 0.0 || stages[k + 2].kind != then ||
        (then == Stage::Kind::probe && stages[k + 2].part == 0.0))
      return false;
    sum += stages[k + 1].part;
  }
  return is_one(sum);
}
/// True of predict, force, correct, force, ..., correct, force: the last forces are those of where the step
/// ends.
constexpr bool well_formed_jerks(std::span<const Stage> stages) {
  if (stages.size() < 4 || stages.size() % 2 != 0) return false;
  for (std::size_t k = 0; k < stages.size(); k += 2) {
    const auto moves = k == 0 ? Stage::Kind::predict : Stage::Kind::correct;
    if (stages[k].kind != moves || stages[k + 1].kind != Stage::Kind::force) return false;
  }
  return true;
}
/// See the declaration above.
constexpr bool well_formed(std::span<const Stage> stages) {
  if (!stages.empty() && stages.front().kind == Stage::Kind::predict) return well_formed_jerks(stages);
  for (const auto& stage : stages)
    if (stage.kind == Stage::Kind::slope) return well_formed_slopes(stages);
  double kick = 0.0, drift = 0.0;
  bool forces = false;
  int kicks = 0, drifts = 0;  // since the forces
  for (const auto& stage : stages) {
    if (stage.kind == Stage::Kind::force) {
      forces = true;
      kicks = drifts = 0;
    } else if (stage.kind == Stage::Kind::kick) {
      kick += stage.part;
      if (++kicks > 1) return false;
    } else if (stage.kind == Stage::Kind::drift) {
      drift += stage.part;
      if (++drifts > 1) return false;
    } else {
      return false;
    }
  }
  return forces && is_one(kick) && is_one(drift);
}

}  // namespace orrery::sim
