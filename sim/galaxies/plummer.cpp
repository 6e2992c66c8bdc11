#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/galaxies/model.h"
#include "sim/galaxies/particles.h"
#include "sim/physics/diagnostics.h"
#include "sim/random.h"

namespace orrery::sim {

namespace {

// Scale length in units G = M = 1, E = -1/4 (Heggie & Mathieu 1986): E = -3 pi G M^2 / (64 a).
constexpr double scale = 3.0 * std::numbers::pi / 16.0;
// Mass fraction that is sampled: up to 38 a. The rest is at hundreds of a and would only dwarf the view.
constexpr double sampled_mass = 0.999;

// Speed in units of the escape speed from g(q) = q^2 (1-q^2)^(7/2), whose maximum is 0.0922, by rejection
// (Aarseth, Henon & Wielen 1974, A&A 37, 183).
double relative_speed(Random& random) {
  for (;;) {
    const double q = random.uniform(), y = 0.1 * random.uniform();
    if (y < q * q * std::pow(1.0 - q * q, 3.5)) return q;
  }
}

Particles sample_plummer(std::size_t count, Random& random) {
  Particles particles;
  for (std::size_t k = 0; k < count; ++k) {
    const double u = sampled_mass * random.uniform();
    const double r = scale / std::sqrt(std::pow(u, -2.0 / 3.0) - 1.0);
    const double escape = std::sqrt(2.0 / std::sqrt(r * r + scale * scale));
    const DVec3 x = r * random.direction();
    const DVec3 v = relative_speed(random) * escape * random.direction();
    particles.add(x, v, 1.0 / static_cast<double>(count), Component::star);
  }
  center(particles);
  return particles;
}

Diagnostics measure(const Particles& particles, double softening) {
  const Bodies bodies = to_bodies(particles);
  const auto galaxies = bodies.galaxies();
  DiagnosticsRequest request;
  request.softening = softening;
  request.exact_limit = 16'384;
  return diagnose(view_of(bodies, galaxies), request);
}

void scale_by(std::vector<DVec3>& vectors, double factor) {
  for (auto& each : vectors) each *= factor;
}

// Stretches the sample to W = -1/2 with its softening, then sets K = 1/4. W is nearly ~ 1/length, so a few
// rounds suffice.
void to_virial_units(Particles& particles, double softening) {
  for (int round = 0; round < 4; ++round) {
    scale_by(particles.position, measure(particles, softening).potential / -0.5);
  }
  scale_by(particles.velocity, std::sqrt(0.25 / measure(particles, softening).kinetic));
}

// The usual N^(-0.28) trend of the best softening (Merritt 1996; Athanassoula et al. 2000).
double plummer_softening(std::size_t bodies) {
  return std::min(0.2, 0.05 * std::pow(4096.0 / static_cast<double>(bodies), 0.28));
}

Scene make_plummer(const ModelRequest& request) {
  Random random(request.seed);
  Scene scene;
  scene.softening = plummer_softening(request.bodies);
  Particles particles = sample_plummer(request.bodies, random);
  to_virial_units(particles, scene.softening);
  scene.bodies = to_bodies(particles);
  scene.time_step = std::min(1.0 / 64.0, 0.3 * scene.softening);
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
    .default_bodies = 4096,
    .minimum_bodies = 16,
    .maximum_bodies = 16'777'216,
    .make = make_plummer,
};

}  // namespace orrery::sim
