#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Random numbers with a sequence that depends on the seed alone: the standard library's distributions differ
/// between implementations, so the transforms are our own.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Uniform in the open interval (0, 1), from 53 random bits.
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform in 0 .. bound - 1. The bias of the remainder is below bound / 2^64.
  std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

  /// Standard normal deviate (Box & Muller 1958); the second of each pair is thrown away.
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
  }

  /// A unit vector, uniform on the sphere.
  DVec3 direction() {
    const double z = uniform(-1.0, 1.0);
    const double angle = 2.0 * std::numbers::pi * uniform();
    const double s = std::sqrt(1.0 - z * z);
    return {s * std::cos(angle), s * std::sin(angle), z};
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace orrery::sim
