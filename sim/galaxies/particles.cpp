#include "sim/galaxies/particles.h"

#include <cmath>

namespace orrery::sim {

namespace {
template <typename T>
void append_to(std::vector<T>& target, const std::vector<T>& source) {
  target.insert(target.end(), source.begin(), source.end());
}

DVec3 turned(const DVec3& a, double inclination, double node) {
  const double ci = std::cos(inclination), si = std::sin(inclination);
  const double cn = std::cos(node), sn = std::sin(node);
  const double y = ci * a.y - si * a.z;
  return {cn * a.x - sn * y, sn * a.x + cn * y, si * a.y + ci * a.z};
}
}  // namespace

void Particles::add(const DVec3& x, const DVec3& v, double m, Component c) {
  position.push_back(x);
  velocity.push_back(v);
  mass.push_back(m);
  component.push_back(c);
  ticker.now_and_then(size());
}

void Particles::shift(const DVec3& offset, const DVec3& drift) {
  for (auto& x : position) x += offset;
  for (auto& v : velocity) v += drift;
}

void Particles::turn(double inclination, double node) {
  for (auto& x : position) x = turned(x, inclination, node);
  for (auto& v : velocity) v = turned(v, inclination, node);
}

void Particles::append(const Particles& other) {
  append_to(position, other.position);
  append_to(velocity, other.velocity);
  append_to(mass, other.mass);
  append_to(component, other.component);
}

void center(Particles& particles) {
  DVec3 x, v;
  double mass = 0.0;
  for (std::size_t i = 0; i < particles.size(); ++i) {
    x += particles.mass[i] * particles.position[i];
    v += particles.mass[i] * particles.velocity[i];
    mass += particles.mass[i];
  }
  if (mass > 0.0) particles.shift(x * (-1.0 / mass), v * (-1.0 / mass));
}

Bodies to_bodies(const Particles& particles) {
  Bodies bodies;
  bodies.resize(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i) {
    bodies.position[i] = Vec3(particles.position[i]);
    bodies.velocity[i] = Vec3(particles.velocity[i]);
    bodies.mass[i] = static_cast<float>(particles.mass[i]);
    bodies.component[i] = particles.component[i];
  }
  return bodies;
}

}  // namespace orrery::sim
