#include "sim/galaxies/draw_bodies.h"

#include <algorithm>
#include <atomic>
#include <exception>

namespace orrery::sim {

namespace {

constexpr std::size_t block_size = Ticker::interval;

// Neighbouring seeds and blocks become unrelated ones (SplitMix64; Steele, Lea & Flood 2014).
std::uint64_t mixed_seed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31U);
}

void draw_block(Bodies& bodies, std::size_t block, std::uint64_t seed, const DrawBody& draw) {
  Random random(mixed_seed(mixed_seed(seed) + block));
  const std::size_t last = std::min(bodies.size(), (block + 1) * block_size);
  for (std::size_t k = block * block_size; k < last; ++k) {
    const DrawnBody body = draw(k, random);
    bodies.position[k] = Vec3(body.position);
    bodies.velocity[k] = Vec3(body.velocity);
  }
}

}  // namespace

double even_fraction(std::size_t k, std::uint64_t seed) {
  // The golden ratio in 64 bits; the multiples wrap around at 1.
  const std::uint64_t turned = mixed_seed(seed) + std::uint64_t{k} * 0x9e3779b97f4a7c15U;
  return (static_cast<double>(turned >> 11U) + 0.5) * 0x1.0p-53;
}

Bodies draw_bodies(std::size_t count, std::uint64_t seed, const Ticker& ticker, const DrawBody& draw) {
  Bodies bodies;
  bodies.resize(count);
  std::ranges::fill(bodies.mass, static_cast<float>(1.0 / static_cast<double>(count)));
  std::ranges::fill(bodies.component, Component::star);
  const std::size_t blocks = (count + block_size - 1) / block_size;
  std::atomic<std::size_t> done{0};
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t block = 0; block < blocks; ++block) {
    try {
      ticker.at(std::min(count, block_size * done++));
      draw_block(bodies, block, seed, draw);
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
  return bodies;
}

void center(Bodies& bodies) {
  DVec3 x, v;
  double mass = 0.0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double m = bodies.mass[i];
    x += m * DVec3(bodies.position[i]);
    v += m * DVec3(bodies.velocity[i]);
    mass += m;
  }
  if (!(mass > 0.0)) return;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.position[i] = Vec3(DVec3(bodies.position[i]) - (1.0 / mass) * x);
    bodies.velocity[i] = Vec3(DVec3(bodies.velocity[i]) - (1.0 / mass) * v);
  }
}

}  // namespace orrery::sim
