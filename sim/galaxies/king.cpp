#include <cmath>
#include <numbers>

#include "sim/galaxies/isotropic_sphere.h"

namespace orrery::sim {

namespace {

constexpr double king_depth = 6.0;  // W0

// rho(W) of the lowered Maxwellian f ~ exp(W - v^2/2) - 1 (King 1966, AJ 71, 64; Binney & Tremaine 2008,
// eq. 4.111).
double king_density(double w) {
  if (w <= 0.0) return 0.0;
  return std::exp(w) * std::erf(std::sqrt(w)) - std::sqrt(4.0 * w / std::numbers::pi) * (1.0 + 2.0 * w / 3.0);
}

struct KingState {
  double w, slope;
};

// W'' + 2 W'/r = -9 rho(W) / rho(W0), r in King radii (Binney & Tremaine 2008, eq. 4.113).
KingState king_slope(double r, const KingState& at) {
  const double source = -9.0 * king_density(at.w) / king_density(king_depth);
  return {at.slope, source - 2.0 * at.slope / r};
}

KingState king_moved(const KingState& at, const KingState& by, double h) {
  return {at.w + h * by.w, at.slope + h * by.slope};
}

// Fourth-order Runge and Kutta step.
KingState king_step(double r, const KingState& at, double h) {
  const auto a = king_slope(r, at);
  const auto b = king_slope(r + 0.5 * h, king_moved(at, a, 0.5 * h));
  const auto c = king_slope(r + 0.5 * h, king_moved(at, b, 0.5 * h));
  const auto d = king_slope(r + h, king_moved(at, c, h));
  return {at.w + h / 6.0 * (a.w + 2.0 * b.w + 2.0 * c.w + d.w),
          at.slope + h / 6.0 * (a.slope + 2.0 * b.slope + 2.0 * c.slope + d.slope)};
}

// W(r) from the centre to the tidal radius, where it is 0; begins with the series W0 - 3/2 r^2.
Table king_potential() {
  constexpr double step = 0.005, first = 1e-3;
  double r = first;
  KingState at{king_depth - 1.5 * first * first, -3.0 * first};
  Table result{{0.0, r}, {king_depth, at.w}};
  while (at.w > 0.0) {
    at = king_step(r, at, step);
    r += step;
    result.x.push_back(r);
    result.y.push_back(at.w);
  }
  const std::size_t last = result.x.size() - 1;
  const double beyond = result.y[last] / (result.y[last] - result.y[last - 1]);
  result.x[last] -= beyond * step;
  result.y[last] = 0.0;
  return result;
}

Scene make_king(const ModelRequest& request) {
  const Table potential = king_potential();
  const IsotropicSphere sphere{.density = [&](double r) { return king_density(potential(r)); },
                               .edge = potential.x.back(),
                               .half_mass_radius = 2.65};
  Scene scene = make_isotropic_sphere(sphere, request);
  scene.notes.emplace_back("G = M = 1, King radius 1, W0 = 6: nothing is beyond the tidal radius 18.0");
  return scene;
}

}  // namespace

extern const GalaxyModel king_model;
constinit const GalaxyModel king_model{
    .name = "king",
    .meaning = "a globular cluster after King (W0 = 6) in equilibrium, which ends at its tidal radius",
    .make = make_king,
};

}  // namespace orrery::sim
