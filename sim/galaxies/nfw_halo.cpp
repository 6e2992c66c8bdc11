#include <cmath>

#include "sim/galaxies/isotropic_sphere.h"

namespace orrery::sim {

namespace {

constexpr double nfw_concentration = 10.0;  // where the taper begins, in scale radii
constexpr double nfw_fading = 2.0;          // of the taper
constexpr double nfw_edge = 30.0;

// rho ~ 1 / (r (1 + r)^2) (Navarro, Frenk & White 1997, ApJ 490, 493). Outside the virial radius c it goes on
// as (r/c)^k exp(-(r - c)/d) with the k that keeps the slope (Springel & White 1999, MNRAS 307, 162, eq. 6).
double tapered_nfw(double r) {
  constexpr double c = nfw_concentration, d = nfw_fading;
  if (r <= c) return 1.0 / (r * (1.0 + r) * (1.0 + r));
  constexpr double power = -(1.0 + 3.0 * c) / (1.0 + c) + c / d;
  return std::pow(r / c, power) * std::exp(-(r - c) / d) / (c * (1.0 + c) * (1.0 + c));
}

Scene make_nfw(const ModelRequest& request) {
  Scene scene =
      make_isotropic_sphere({.density = tapered_nfw, .edge = nfw_edge, .half_mass_radius = 5.04}, request);
  for (Component& each : scene.bodies.component) each = Component::halo;
  scene.notes.emplace_back(
      "G = M = r_s = 1, concentration 10: beyond 10 r_s the density fades out within 2 r_s or so");
  return scene;
}

}  // namespace

extern const GalaxyModel nfw_halo_model;
constinit const GalaxyModel nfw_halo_model{
    .name = "nfw",
    .meaning = "a halo of dark matter after Navarro, Frenk and White in equilibrium, faded out at its edge",
    .make = make_nfw,
};

}  // namespace orrery::sim
