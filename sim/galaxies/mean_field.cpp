#include "sim/galaxies/mean_field.h"

#include <cmath>
#include <numbers>

namespace orrery::sim {

namespace {
constexpr std::size_t most_sources = 16384;
constexpr int directions = 96;  // points of a circle

DVec3 circle_point(int k) {
  const double angle = 2.0 * std::numbers::pi * k / directions;
  return {std::cos(angle), std::sin(angle), 0.0};
}
}  // namespace

MeanField::MeanField(const Particles& particles, double softening)
    : softening_squared_(softening * softening) {
  const std::size_t stride = (particles.size() + most_sources - 1) / most_sources;
  for (std::size_t i = 0; i < particles.size(); i += stride) {
    masses_.x.push_back(particles.position[i].x);
    masses_.y.push_back(particles.position[i].y);
    masses_.z.push_back(particles.position[i].z);
    masses_.mass.push_back(particles.mass[i] * static_cast<double>(stride));
  }
}

DVec3 MeanField::acceleration(const DVec3& x) const {
  return attraction_sum(masses_, {0, masses_.size()}, x, softening_squared_);
}

double MeanField::in_plane(double cylindrical_radius) const {
  double sum = 0.0;
  for (int k = 0; k < directions; ++k) {
    sum -= dot(acceleration(cylindrical_radius * circle_point(k)), circle_point(k));
  }
  return sum / directions;
}

double MeanField::vertical(double cylindrical_radius, double z) const {
  double sum = 0.0;
  for (int k = 0; k < directions; k += 2) {
    const DVec3 x = cylindrical_radius * circle_point(k);
    sum -= acceleration(x + DVec3{0, 0, z}).z - acceleration(x - DVec3{0, 0, z}).z;
  }
  return sum / directions;
}

}  // namespace orrery::sim
