#pragma once

#include <span>
#include <string_view>

#include "sim/vec3.h"

namespace orrery::sim {

/// The part of the state that an integrator changes, for a range of bodies. Views, owned by the engine.
struct Motion {
  std::span<Vec3> position;
  std::span<Vec3> velocity;
  std::span<const Vec3> acceleration;

  /// The same for bodies [first, last): what one thread of a parallel update works on.
  Motion range(std::size_t first, std::size_t last) const {
    const std::size_t n = last - first;
    return {position.subspan(first, n), velocity.subspan(first, n), acceleration.subspan(first, n)};
  }
};

/// One way to advance bodies by dt with a single force evaluation: an update before the forces are computed
/// and one after them. Both work body by body, so any split of the bodies among threads gives the same bits.
struct Integrator {
  using Update = void (*)(const Motion& motion, float dt);

  std::string_view name;     ///< as in --set integrator=NAME
  std::string_view meaning;  ///< one line for the panel and the help
  int order;                 ///< global error ~ dt^order
  /// True if `before_force` needs accelerations of the present positions (leapfrog): the engine then
  /// evaluates the forces once when it loads bodies.
  bool starts_with_acceleration;
  Update before_force;
  Update after_force;

  /// The same two updates as numbers, for engines that do them on a device: v += kick dt a and x += drift dt
  /// v, with the new velocity or with the old one.
  struct Coefficients {
    double kick = 0.0;
    double drift = 0.0;
    bool with_new_velocity = true;
  };
  Coefficients before;
  Coefficients after;
};

/// All integrators, the default (leapfrog) first. Adding one: one file and one line in integrator.cpp.
std::span<const Integrator* const> integrators();
/// The integrator of that name, or nullptr.
const Integrator* find_integrator(std::string_view name);

}  // namespace orrery::sim
