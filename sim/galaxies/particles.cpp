#include "sim/galaxies/particles.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "sim/galaxies/draw_bodies.h"

namespace orrery::sim {

namespace {

template <typename T>
void copy_to(LargeArray<T>& target, std::size_t first, const LargeArray<T>& source) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < source.size(); ++i) target[first + i] = source[i];
}

template <typename T>
void append_to(LargeArray<T>& target, const LargeArray<T>& source) {
  const std::size_t before = target.size(), after = before + source.size();
  if (after > target.capacity()) {
    LargeArray<T> longer(after);
    copy_to(longer, 0, target);
    target = std::move(longer);
  }
  target.resize(after);
  copy_to(target, before, source);
}

struct Turn {
  double ci, si, cn, sn;
  Turn(double inclination, double node)
      : ci(std::cos(inclination)), si(std::sin(inclination)), cn(std::cos(node)), sn(std::sin(node)) {}
  DVec3 operator()(const DVec3& a) const {
    const double y = ci * a.y - si * a.z;
    return {cn * a.x - sn * y, sn * a.x + cn * y, si * a.y + ci * a.z};
  }
};

struct Moments {
  DVec3 x, v;
  double mass = 0.0;
  void operator+=(const Moments& other) {
    x += other.x;
    v += other.v;
    mass += other.mass;
  }
};

constexpr std::size_t most_sources = 16384;
constexpr int directions = 96;  // points of a circle

DVec3 circle_point(int k) {
  const double angle = 2.0 * std::numbers::pi * k / directions;
  return {std::cos(angle), std::sin(angle), 0.0};
}

}  // namespace

void Particles::add(const DVec3& x, const DVec3& v, double m, Component c) {
  position.push_back(x);
  velocity.push_back(v);
  mass.push_back(m);
  component.push_back(c);
  ticker.now_and_then(size());
}

void Particles::set(std::size_t i, const DVec3& x, const DVec3& v, double m, Component c) {
  position[i] = x;
  velocity[i] = v;
  mass[i] = m;
  component[i] = c;
}

void Particles::resize(std::size_t count) {
  position.resize(count);
  velocity.resize(count);
  mass.resize(count);
  component.resize(count);
}

void Particles::reserve(std::size_t count) {
  position.reserve(count);
  velocity.reserve(count);
  mass.reserve(count);
  component.reserve(count);
}

void Particles::scale(double length, double speed) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size(); ++i) {
    position[i] *= length;
    velocity[i] *= speed;
  }
}

void Particles::shift(const DVec3& offset, const DVec3& drift) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size(); ++i) {
    position[i] += offset;
    velocity[i] += drift;
  }
}

void Particles::turn(double inclination, double node) {
  const auto radians = [](double degrees) { return degrees * std::numbers::pi / 180.0; };
  const Turn turn(radians(inclination), radians(node));
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < size(); ++i) {
    position[i] = turn(position[i]);
    velocity[i] = turn(velocity[i]);
  }
}

void Particles::append(const Particles& other) {
  append_to(position, other.position);
  append_to(velocity, other.velocity);
  append_to(mass, other.mass);
  append_to(component, other.component);
}

void center(Particles& particles) {
  const auto sum = sum_in_blocks<Moments>(particles.size(), [&](std::size_t first, std::size_t last) {
    Moments part;
    for (std::size_t i = first; i < last; ++i) {
      part += {particles.mass[i] * particles.position[i], particles.mass[i] * particles.velocity[i],
               particles.mass[i]};
    }
    return part;
  });
  if (sum.mass > 0.0) particles.shift(sum.x * (-1.0 / sum.mass), sum.v * (-1.0 / sum.mass));
}

Bodies to_bodies(const Particles& particles) {
  Bodies bodies;
  bodies.resize(particles.size());
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < particles.size(); ++i) {
    bodies.position[i] = Vec3(particles.position[i]);
    bodies.velocity[i] = Vec3(particles.velocity[i]);
    bodies.mass[i] = static_cast<float>(particles.mass[i]);
    bodies.component[i] = particles.component[i];
  }
  return bodies;
}

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
