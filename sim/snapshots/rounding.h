#pragma once

#include <algorithm>

#include "sim/bodies/origin.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// From a file's numbers in double precision to those of bodies: scaled, counted from the origin, and rounded
/// to single precision only then. What is still too large becomes infinite: check_bodies() finds it.
class Rounding {
 public:
  explicit Rounding(const ReadOptions& options = {})
      : origin_(options.origin), scale_(options.scale.value_or(1.0)), masses_(options.masses) {}

  /// The origin of the positions, scaled.
  const DVec3& origin() const { return origin_; }
  void count_from(const DVec3& origin) { origin_ = origin; }
  Vec3 place(const DVec3& x) const { return counted_from(origin_, scale_ * x); }
  Vec3 velocity(const DVec3& v) const { return static_cast<Vec3>(scale_ * v); }
  /// One coordinate of a place, counted from that of the origin.
  float coordinate(double x, double origin) const { return static_cast<float>(scale_ * x - origin); }
  /// One component of a velocity.
  float speed(double v) const { return static_cast<float>(scale_ * v); }
  float mass(double m) const {
    const double scaled = scale_ * scale_ * scale_ * m;
    const auto rounded = static_cast<float>(scaled);
    if (masses_ != nullptr) {
      if (rounded == 0.0F && m > 0.0) ++masses_->vanished;
      masses_->largest = std::max(masses_->largest, scaled);
    }
    return rounded;
  }

 private:
  DVec3 origin_;
  double scale_;
  RoundedMasses* masses_;
};

}  // namespace orrery::sim
