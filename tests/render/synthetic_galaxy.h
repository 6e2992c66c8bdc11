#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "render/bodies/body_buffers.h"
#include "tests/render/upload.h"

namespace orrery::render::test {

/// A galaxy for pictures and timings: a Hernquist-like bulge, an exponential disk with two loose spiral arms,
/// and a faint halo. Lengths in scale lengths of the disk, velocities from a flat rotation curve of 1. Not in
/// equilibrium.
struct SyntheticGalaxy {
  std::vector<float> position;
  std::vector<float> velocity;
  std::vector<std::uint8_t> component;
  std::vector<std::uint32_t> galaxy;

  explicit SyntheticGalaxy(std::size_t bodies) {
    for (std::size_t i = 0; i < bodies; ++i) {
      const std::size_t part = i % 20;
      if (part < 4)
        add_spherical(3, 0.25, 2.0);
      else if (part < 16)
        add_disk();
      else
        add_spherical(1, 4.0, 16.0);
    }
  }

  void upload_to(BodyBuffers& buffers) const {
    for (int slot = 0; slot < buffers.slots(); ++slot) {
      upload_position(buffers, slot, position);
      upload_velocity(buffers, slot, velocity);
    }
    buffers.set_static(component, galaxy);
  }

 private:
  std::mt19937_64 random_{20};

  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  double normal() {
    return std::sqrt(-2.0 * std::log(1.0 - uniform())) * std::cos(2.0 * std::numbers::pi * uniform());
  }

  void add(std::uint8_t part, double x, double y, double z, double vx, double vy, double vz) {
    for (const double value : {x, y, z, 1e-4}) position.push_back(static_cast<float>(value));
    for (const double value : {vx, vy, vz, 0.0}) velocity.push_back(static_cast<float>(value));
    component.push_back(part);
    galaxy.push_back(0);
  }

  void add_spherical(std::uint8_t part, double scale, double largest) {
    double radius = 0;
    do {
      const double root = std::sqrt(uniform());
      radius = scale * root / (1.0 - root);
    } while (radius > largest);
    const double cosine = 2.0 * uniform() - 1.0;
    const double sine = std::sqrt(1.0 - cosine * cosine);
    const double angle = 2.0 * std::numbers::pi * uniform();
    add(part, radius * sine * std::cos(angle), radius * sine * std::sin(angle), radius * cosine,
        0.5 * normal(), 0.5 * normal(), 0.5 * normal());
  }

  void add_disk() {
    const double radius = -std::log((1.0 - uniform()) * (1.0 - uniform()));
    double angle = 2.0 * std::numbers::pi * uniform();
    // Pulls bodies towards two logarithmic arms.
    const double phase = 2.0 * (angle - 2.6 * std::log(radius + 0.2));
    angle -= 0.40 * std::sin(phase);
    const double speed = radius / std::sqrt(radius * radius + 0.1);
    add(2, radius * std::cos(angle), radius * std::sin(angle), 0.06 * normal(), -speed * std::sin(angle),
        speed * std::cos(angle), 0.05 * normal());
  }
};

}  // namespace orrery::render::test
