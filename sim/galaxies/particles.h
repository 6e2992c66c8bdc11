#pragma once

#include <cstddef>

#include "sim/bodies/bodies.h"
#include "sim/core/large_array.h"
#include "sim/core/progress.h"
#include "sim/core/vec3.h"
#include "sim/physics/laws/pair_sum.h"

namespace orrery::sim {

/// Bodies while a model builds them: in double precision.
struct Particles {
  LargeArray<DVec3> position;
  LargeArray<DVec3> velocity;
  LargeArray<double> mass;
  LargeArray<Component> component;
  Ticker ticker{nullptr, 0};  ///< is told how many there are

  std::size_t size() const { return position.size(); }
  /// Sets the number of bodies. What new ones are is to be set.
  void resize(std::size_t count);
  /// Makes room for that many, which keeps append from copying what is there.
  void reserve(std::size_t count);
  /// Multiplies all positions by `length` and all velocities by `speed`.
  void scale(double length, double speed);
  /// Appends one body, Throws Cancelled if the ticker's watcher asked for it.
  void add(const DVec3& x, const DVec3& v, double m, Component c);
  /// Sets the i-th. Different ones may be set by different threads at once.
  void set(std::size_t i, const DVec3& x, const DVec3& v, double m, Component c);
  /// Adds `offset` and `drift` to all positions and velocities.
  void shift(const DVec3& offset, const DVec3& drift);
  /// Turns all positions and velocities by `inclination` about the x axis, then by `node` about the z axis
  /// (degrees).
  void turn(double inclination, double node);
  void append(const Particles& other);
};

/// Moves the centre of mass to the origin and the total momentum to 0.
void center(Particles& particles);
/// Converts to single precision, with ids from 0, all in galaxy 0.
Bodies to_bodies(const Particles& particles);

/// The softened field (G = 1) of particles, averaged over the azimuth: what the velocities of a
/// disk in equilibrium follow from. It is measured on the particles themselves, so that softening, truncation
/// and the actual masses are in it. Of many particles only every k-th counts, with k times its mass.
class MeanField {
 public:
  MeanField(const Particles& particles, double softening);
  /// The inward acceleration in the plane z = 0, averaged over the circle of radius R.
  double in_plane(double cylindrical_radius) const;
  /// The acceleration towards the plane at height z > 0, averaged over the circles of radius R at z and -z.
  double vertical(double cylindrical_radius, double z) const;

 private:
  DVec3 acceleration(const DVec3& x) const;
  PointMasses masses_;
  double softening_squared_ = 0.0;
};

}  // namespace orrery::sim
