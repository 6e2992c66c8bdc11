#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/core/random.h"
#include "sim/galaxies/draw_bodies.h"
#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"
#include "sim/physics/diagnostics/diagnostics.h"

namespace orrery::sim {

namespace {

// Scale length in units G = M = 1, E = -1/4 (Heggie & Mathieu 1986): E = -3 pi G M^2 / (64 a).
constexpr double scale = 3.0 * std::numbers::pi / 16.0;
// Mass fraction that is sampled: up to 38 a. The rest is at hundreds of a and would only dwarf the view.
constexpr double sampled_mass = 0.999;
// As many bodies are summed pair by pair to find the units.
constexpr std::size_t most_summed = 16'384;

// Speed in units of the escape speed from g(q) = q^2 (1-q^2)^(7/2), whose maximum is 0.0922, by rejection
// (Aarseth, Henon & Wielen 1974, A&A 37, 183).
double relative_speed(Random& random) {
  for (;;) {
    const double q = random.uniform(), y = 0.1 * random.uniform();
    if (y < q * q * std::pow(1.0 - q * q, 3.5)) return q;
  }
}

Particles sample_plummer(std::size_t count, Random& random, Progress* progress) {
  Particles particles{.ticker = {progress, count, 0.0F, 0.8F}};
  particles.resize(count);
  SharedTicker ticker(particles.ticker);
  draw_in_blocks(count, random, ticker, [&](std::size_t k, Random& own) {
    const double u = sampled_mass * own.uniform();
    const double r = scale / std::sqrt(std::pow(u, -2.0 / 3.0) - 1.0);
    const double escape = std::sqrt(2.0 / std::sqrt(r * r + scale * scale));
    const DVec3 x = r * own.direction();
    // Not within the product: compilers disagree on which of its operands comes first.
    const DVec3 towards = own.direction();
    const DVec3 v = relative_speed(own) * escape * towards;
    particles.set(k, x, v, 1.0 / static_cast<double>(count), Component::star);
  });
  center(particles);
  return particles;
}

// W with softening, all pairs summed.
double summed_potential(const Particles& particles, double softening) {
  const Bodies bodies = to_bodies(particles);
  const auto galaxies = bodies.galaxies();
  DiagnosticsRequest request;
  request.physics.softening = softening;
  request.exact_limit = particles.size();
  request.threads = omp_get_max_threads();
  return diagnose(view_of(bodies, galaxies), request).potential;
}

// W of the same radii with every body spread over its sphere: a pair gives m^2 / the larger radius (Gauss'
// law).
double spherical_potential(const Particles& particles) {
  LargeArray<double> radius(particles.size());
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < radius.size(); ++k) radius[k] = norm(particles.position[k]);
  sort_in_blocks(radius);
  const auto sum = sum_in_blocks<double>(radius.size(), [&](std::size_t first, std::size_t last) {
    double part = 0.0;
    for (std::size_t k = std::max<std::size_t>(first, 1); k < last; ++k)
      part += static_cast<double>(k) / radius[k];
    return part;
  });
  const auto count = static_cast<double>(radius.size());
  return -sum / (count * count);
}

// The first bodies, as random as any, with all of the mass.
Particles part_of(const Particles& particles, std::size_t count) {
  Particles part;
  for (std::size_t k = 0; k < count; ++k) {
    part.add(particles.position[k], particles.velocity[k], 1.0 / static_cast<double>(count),
             particles.component[k]);
  }
  return part;
}

// K of the bodies as they will be: in single precision.
double kinetic_energy(const Particles& particles) {
  return sum_in_blocks<double>(particles.size(), [&](std::size_t first, std::size_t last) {
    double sum = 0.0;
    for (std::size_t k = first; k < last; ++k) {
      const DVec3 v(Vec3(particles.velocity[k]));
      sum += 0.5 * static_cast<float>(particles.mass[k]) * dot(v, v);
    }
    return sum;
  });
}

// The stretch that gives W = -1/2 with softening. W is nearly ~ 1/length, so a few rounds suffice. Of many
// bodies a part is summed: the ratio of the spherical potentials, which no stretch changes, leads to the
// whole.
double virial_stretch(const Particles& particles, double softening) {
  Particles part = part_of(particles, std::min(particles.size(), most_summed));
  const double ratio = spherical_potential(particles) / spherical_potential(part);
  double stretch = 1.0;
  for (int round = 0; round < 4; ++round) {
    const double step = ratio * summed_potential(part, softening) / -0.5;
    part.scale(step, 1.0);
    stretch *= step;
  }
  return stretch;
}

void to_virial_units(Particles& particles, double softening) {
  particles.scale(virial_stretch(particles, softening), std::sqrt(0.25 / kinetic_energy(particles)));
}

// The usual N^(-0.28) trend of the best softening (Merritt 1996; Athanassoula et al. 2000).
double plummer_softening(std::size_t bodies) {
  return std::min(0.2, 0.05 * std::pow(4096.0 / static_cast<double>(bodies), 0.28));
}

Scene make_plummer(const ModelRequest& request) {
  Random random(request.seed);
  Scene scene;
  scene.physics.softening = plummer_softening(request.bodies);
  Particles particles = sample_plummer(request.bodies, random, request.progress);
  to_virial_units(particles, scene.physics.softening);
  scene.bodies = to_bodies(particles);
  scene.physics.time_step = std::min(1.0 / 64.0, 0.3 * scene.physics.softening);
  scene.speed = 2.0 * std::numbers::sqrt2 / 4.0;  // a crossing time in four seconds
  scene.notes.emplace_back(
      "standard N-body units: G = M = 1, E = -1/4; crossing time 2.83, half-mass radius 0.77");
  return scene;
}

}  // namespace

extern const GalaxyModel plummer_model;
constinit const GalaxyModel plummer_model{
    .name = "plummer",
    .meaning = "a Plummer sphere (star cluster) in virial equilibrium, standard N-body units",
    .make = make_plummer,
};

}  // namespace orrery::sim
