#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "sim/core/vec3.h"

namespace orrery::sim {

struct FieldAt;  // sim/physics/external_field.h

/// The part of the state that an integrator changes, for a range of bodies. Views, owned by the engine.
struct Motion {
  std::span<Vec3> position;
  std::span<Vec3> velocity;
  std::span<const Vec3> acceleration;
  /// What the single precision of position and velocity leaves out: the state is their sum, with 48 bits.
  /// Empty: there is none, and updates compute in single precision.
  std::span<Vec3> position_low = {};
  std::span<Vec3> velocity_low = {};
  const FieldAt* field = nullptr;  ///< acts besides `acceleration`, where the bodies are; nullptr: none

  bool compensated() const { return !position_low.empty(); }
  /// The same for bodies [first, last): what one thread of a parallel update works on.
  Motion range(std::size_t first, std::size_t last) const {
    const std::size_t n = last - first;
    const auto low = [&](std::span<Vec3> all) { return compensated() ? all.subspan(first, n) : all; };
    return {position.subspan(first, n), velocity.subspan(first, n), acceleration.subspan(first, n),
            low(position_low),          low(velocity_low),          field};
  }
};

/// One stage of a step: new forces, a kick v += part dt a, or a drift x += part dt v.
struct Stage {
  enum class Kind { force, kick, drift };
  Kind kind = Kind::force;
  double part = 0.0;

  friend constexpr bool operator==(const Stage&, const Stage&) = default;
  static constexpr Stage force() { return {}; }
  static constexpr Stage kick(double part) { return {Kind::kick, part}; }
  static constexpr Stage drift(double part) { return {Kind::drift, part}; }
};

/// The stages between two force evaluations as one pass over the bodies, which engines make at once: a kick
/// and a drift, either of which may be 0.
struct MotionUpdate {
  double kick = 0.0;
  double drift = 0.0;
  bool kick_first = true;  ///< the drift is with the new velocity, else with the old one

  constexpr bool empty() const { return kick == 0.0 && drift == 0.0; }
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
  /// What is done before evaluation k of a step, counted from 0; after the last one if k is evaluations().
  constexpr MotionUpdate update(std::size_t k) const;
  /// What begins a step, before its forces, and what ends it.
  constexpr MotionUpdate first_update() const { return update(0); }
  constexpr MotionUpdate last_update() const { return update(evaluations()); }
  /// True if a step begins with a kick: engines then evaluate the forces once when they load bodies.
  constexpr bool starts_with_acceleration() const { return first_update().kick != 0.0; }
  /// True if the forces evaluated last are those that the next step begins with.
  constexpr bool keeps_acceleration() const {
    return starts_with_acceleration() && last_update().drift == 0.0;
  }
  /// True if the kick that ends a step and the update that begins the next can be one pass over the bodies.
  constexpr bool last_kick_can_wait() const {
    return keeps_acceleration() && first_update().drift != 0.0 && first_update().kick_first;
  }
  /// True if forces and update can be one kernel, which does either
  /// - all of a step: forces once, then a whole kick and a whole drift (Euler); or
  /// - the kick that ends a step and the kick and drift that begin the next one: `fuses_ahead` (leapfrog).
  constexpr bool can_fuse() const {
    const auto last = last_update();
    return fuses_ahead() ||
           (evaluations() == 1 && first_update().empty() && last.kick == 1.0 && last.drift == 1.0);
  }
  /// As said above.
  constexpr bool fuses_ahead() const { return evaluations() == 1 && last_kick_can_wait(); }
};

/// True if engines can make these stages: between two forces at most one kick and one drift, forces at all,
/// and kicks and drifts of one dt in sum. Integrators assert it.
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
    } else if (evaluation == k) {
      update.drift = stage.part;
    }
  }
  return update;
}
/// As declared above.
constexpr bool well_formed(std::span<const Stage> stages) {
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
    } else {
      drift += stage.part;
      if (++drifts > 1) return false;
    }
  }
  const auto is_one = [](double sum) { return sum > 1.0 - 1e-14 && sum < 1.0 + 1e-14; };
  return forces && is_one(kick) && is_one(drift);
}

}  // namespace orrery::sim
