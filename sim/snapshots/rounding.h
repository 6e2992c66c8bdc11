#pragma once

#include <algorithm>

#include "sim/bodies/origin.h"
#include "sim/snapshots/csv_names.h"
#include "sim/snapshots/format.h"

namespace orrery::sim {

/// Converts a file's double-precision numbers to those of bodies: scaled, relative to the origin, and only
/// then rounded to single precision. Numbers that are still too large become infinite, which check_bodies()
/// finds.
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

/// Sets what a column of numbers says of body i: its place, velocity, mass or charge. Other columns say
/// nothing.
inline void set_number(Bodies& bodies, std::size_t i, Column column, double value, const Rounding& rounding) {
  auto &x = bodies.position[i], &v = bodies.velocity[i];
  switch (column) {
    case Column::x:
      return void(x.x = rounding.coordinate(value, rounding.origin().x));
    case Column::y:
      return void(x.y = rounding.coordinate(value, rounding.origin().y));
    case Column::z:
      return void(x.z = rounding.coordinate(value, rounding.origin().z));
    case Column::vx:
      return void(v.x = rounding.speed(value));
    case Column::vy:
      return void(v.y = rounding.speed(value));
    case Column::vz:
      return void(v.z = rounding.speed(value));
    case Column::mass:
      return void(bodies.mass[i] = rounding.mass(value));
    case Column::charge:
      return void(bodies.charge[i] = static_cast<float>(value));
    default:
      return;
  }
}

}  // namespace orrery::sim
