#include <cmath>

#include "sim/galaxies/isotropic_sphere.h"

namespace orrery::sim {

namespace {

constexpr double hernquist_edge = 50.0;

// rho ~ 1 / (r (1 + r)^3) (Hernquist 1990, ApJ 356, 359, eq. 2), which fades out from 25 a to 50 a.
double fading(double r) {
  const double place = 2.0 * r / hernquist_edge - 1.0;
  return place <= 0.0 ? 1.0 : std::pow(1.0 - place * place, 2);
}

Scene make_hernquist(const ModelRequest& request) {
  const IsotropicSphere sphere{.density = [](double r) { return fading(r) / (r * std::pow(1.0 + r, 3)); },
                               .edge = hernquist_edge,
                               .half_mass_radius = 2.21};
  Scene scene = make_isotropic_sphere(sphere, request);
  scene.notes.emplace_back("G = M = a = 1, half-mass radius 2.21, edge 50; time in sqrt(a^3 / G M)");
  return scene;
}

}  // namespace

extern const GalaxyModel hernquist_model;
constinit const GalaxyModel hernquist_model{
    .name = "hernquist",
    .meaning = "an elliptical galaxy or bulge after Hernquist in equilibrium, with a cusp",
    .make = make_hernquist,
};

}  // namespace orrery::sim
