#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/core/parallel_copy.h"
#include "sim/core/vec3.h"
#include "sim/physics/integrators/integrator.h"

namespace orrery::sim {

/// Positions and velocities of the bodies in the CPU engine.
struct MotionArrays {
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  /// Low-order parts of a compensated state (Motion); empty otherwise.
  std::vector<Vec3> position_low, velocity_low;

  /// Adds low-order parts, which are 0, or removes them.
  void compensate(bool on) {
    if (on == !position_low.empty()) return;
    position_low.assign(on ? position.size() : 0, {});
    velocity_low.assign(on ? velocity.size() : 0, {});
  }
  void copy_from(const MotionArrays& other, int threads) {
    copy_to(position, other.position, threads);
    copy_to(velocity, other.velocity, threads);
    copy_to(position_low, other.position_low, threads);
    copy_to(velocity_low, other.velocity_low, threads);
  }
};

/// The forces with which a step began, should it be interrupted: made again, those that depend on velocities
/// could have other bits.
class KeptForces {
 public:
  void keep(const std::vector<Vec3>& acceleration, const std::vector<Vec3>& jerk, int threads) {
    copy_to(acceleration_, acceleration, threads);
    copy_to(jerk_, jerk, threads);
    is_kept_ = true;
  }
  void drop() { is_kept_ = false; }
  /// Returns the kept forces, once. False if none were kept.
  bool give_back(std::vector<Vec3>& acceleration, std::vector<Vec3>& jerk) {
    if (!std::exchange(is_kept_, false)) return false;
    acceleration.swap(acceleration_);
    jerk.swap(jerk_);
    return true;
  }

 private:
  std::vector<Vec3> acceleration_, jerk_;
  bool is_kept_ = false;
};

/// The bodies at the begin of a part of an adaptive step.
class KeptPart {
 public:
  void keep(const MotionArrays& motion, const std::vector<Vec3>& acceleration, int threads) {
    motion_.copy_from(motion, threads);
    copy_to(acceleration_, acceleration, threads);
  }
  void restore(MotionArrays& motion, std::vector<Vec3>& acceleration, int threads) const {
    motion.copy_from(motion_, threads);
    copy_to(acceleration, acceleration_, threads);
  }
  const MotionArrays& motion() const { return motion_; }

 private:
  MotionArrays motion_;
  std::vector<Vec3> acceleration_;
};

/// Arrays that integrators add up over a step, or need of its beginning: slopes, or accelerations and jerks.
class StepSums {
 public:
  /// Lets a motion of so many bodies have what its integrator uses.
  void lend(Motion& motion, const Integrator& integrator, std::size_t bodies, std::span<const Vec3> jerk) {
    if (integrator.has_slopes()) {
      motion.position_slope = sized(first_, bodies);
      motion.velocity_slope = sized(second_, bodies);
    } else {
      motion.jerk = jerk;
      motion.acceleration_begin = sized(first_, bodies);
      motion.jerk_begin = sized(second_, bodies);
    }
  }

 private:
  static std::span<DVec3> sized(std::vector<DVec3>& sums, std::size_t bodies) {
    sums.resize(bodies);
    return sums;
  }
  std::vector<DVec3> first_, second_;
};

}  // namespace orrery::sim
