#include "sim/simulation/frame.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/bodies/origin.h"

namespace orrery::sim {

namespace {

constexpr std::size_t speeds_looked_at = 4096;

struct UsualRange {
  double least, most;
  /// 0 says nothing.
  bool holds(double value) const { return value == 0.0 || (value >= least && value <= most); }
};
constexpr UsualRange usual_length{1e-6, 1e6}, usual_velocity{1e-6, 1e6}, usual_charge{1e-6, 1e6};
constexpr UsualRange usual_mass{1e-12, 1e12};
/// A body's mass over a distance cubed.
constexpr UsualRange usual_weight{1e-24, 1e24};

/// Magnitudes of the numbers of bodies; 0 where there are none.
struct Magnitudes {
  double mass = 0.0, length = 0.0, velocity = 0.0, charge = 0.0;
  double mean_mass = 0.0;

  bool usual() const {
    return usual_mass.holds(mass) && usual_length.holds(length) && usual_velocity.holds(velocity) &&
           usual_charge.holds(charge) &&
           (length == 0.0 || usual_weight.holds(mean_mass / (length * length * length)));
  }
};

double usual_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A typical speed; for bodies at rest that of a circular orbit.
double speed_of(const Bodies& bodies, double gm, double size) {
  double fastest = 0.0;
  std::vector<double> values;
  const std::size_t stride = bodies.size() / speeds_looked_at + 1;
  for (std::size_t i = 0; i < bodies.size(); i += stride) {
    values.push_back(norm(static_cast<DVec3>(bodies.velocity[i])));
    fastest = std::max(fastest, values.back());
  }
  const double usual = usual_of(values);
  if (usual > 0.0 || fastest > 0.0) return usual > 0.0 ? usual : fastest;
  return size > 0.0 ? std::sqrt(gm / size) : 0.0;
}

Magnitudes magnitudes_of(const Bodies& bodies, double gravitational_constant) {
  Magnitudes found;
  if (bodies.empty()) return found;
  const auto count = static_cast<double>(bodies.size());
  found.mass = std::accumulate(bodies.mass.begin(), bodies.mass.end(), 0.0);
  found.mean_mass = found.mass / count;
  found.length = spread_of(bodies.position).radius;
  found.velocity = speed_of(bodies, gravitational_constant * found.mass, found.length);
  for (const float charge : bodies.charge) found.charge += std::abs(double{charge});
  found.charge /= count;
  return found;
}

/// The power of two that brings `value` to 1..2.
double to_one(double value) {
  return value > 0.0 && std::isfinite(value) ? std::ldexp(1.0, -std::ilogb(value)) : 1.0;
}

constexpr double too_fast = 256.0;

/// A multiple of a power of two: a number of single precision with few digits.
double round_velocity(double value, double radius) {
  if (value == 0.0 || std::abs(value) < too_fast * radius) return 0.0;
  const int grain = std::max(radius > 0.0 ? std::ilogb(radius) : -150, std::ilogb(value) - 20);
  return std::ldexp(std::round(std::ldexp(value, -grain)), grain);
}

}  // namespace

DVec3 common_velocity(const Bodies& bodies) {
  if (bodies.size() < 2) return {};
  // Of places the spread and the rounding are the same question.
  const auto [centre, radius] = spread_of(bodies.velocity);
  const DVec3 common{round_velocity(centre.x, radius), round_velocity(centre.y, radius),
                     round_velocity(centre.z, radius)};
  return keeps_bits(bodies.velocity, common) ? common : DVec3{};
}

void see_from(std::vector<Vec3>& position, std::vector<Vec3>& velocity, const DVec3& place,
              const DVec3& of_place) {
  for (auto& x : position) x = static_cast<Vec3>(DVec3(x) - place);
  for (auto& v : velocity) v = static_cast<Vec3>(DVec3(v) - of_place);
}

Frame frame_of(const Bodies& bodies, double gravitational_constant) {
  const auto found = magnitudes_of(bodies, gravitational_constant);
  if (found.usual()) return {};
  return {to_one(found.mass), to_one(found.length), to_one(found.velocity), to_one(found.charge)};
}

Vec3 rescaled(const Vec3& v, double factor) {
  return {static_cast<float>(v.x * factor), static_cast<float>(v.y * factor),
          static_cast<float>(v.z * factor)};
}

void scale_state(Bodies& bodies, const Frame& frame) {
  if (frame.plain()) return;
  for (auto& x : bodies.position) x = rescaled(x, frame.length);
  for (auto& v : bodies.velocity) v = rescaled(v, frame.velocity);
  for (auto& m : bodies.mass) m = static_cast<float>(m * frame.mass);
  for (auto& q : bodies.charge) q = static_cast<float>(q * frame.charge);
}

Physics in_frame(Physics physics, const Frame& frame) {
  const double mass = frame.mass, length = frame.length, velocity = frame.velocity;
  const double charges = frame.charge * frame.charge;
  physics.gravitational_constant *= length * velocity * velocity / mass;
  physics.softening *= length;
  physics.step_length *= length;
  physics.time_step *= frame.time();
  physics.coulomb *= mass * velocity * velocity * length / charges;
  physics.magnetic *= mass * length / charges;
  physics.field_mass *= mass;
  physics.field_speed *= velocity;
  physics.field_radius *= length;
  physics.field_height *= length;
  physics.field_x *= length;
  physics.field_y *= length;
  physics.field_z *= length;
  return physics;
}

}  // namespace orrery::sim
