#include "sim/galaxies/spheroid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/galaxies/draw_bodies.h"

namespace orrery::sim {

namespace {

double shell_potential(double r, double s, double softening_squared) {
  const double far = std::sqrt((r + s) * (r + s) + softening_squared);
  const double near = std::sqrt((r - s) * (r - s) + softening_squared);
  return -2.0 / (far + near);  // = -(far - near) / (2 r s), without its cancellation
}

}  // namespace

// By inverting the cumulative sum over v. The energies fall, so each is looked up from the one before.
double draw_speed(const Table& distribution, double psi, Random& random) {
  constexpr std::size_t points = 48;
  const double limit = std::sqrt(2.0 * std::max(psi, 0.0));
  std::array<double, points + 1> speed{}, cumulative{};
  FallingLookup density_of(distribution, psi);
  double before = 0.0;
  for (std::size_t k = 1; k <= points; ++k) {
    const double v = limit * static_cast<double>(k) / points;
    const double density = v * v * density_of(psi - 0.5 * v * v);
    speed[k] = v;
    cumulative[k] = cumulative[k - 1] + 0.5 * (before + density);
    before = density;
  }
  return inverse(speed, cumulative, random.uniform() * cumulative[points]);
}

double Spheroid::operator()(double r) const {
  if (r >= edge) return 0.0;
  const double s = std::hypot(r, core);
  const double taper = 1.0 - r * r / (edge * edge);
  return taper * taper / (s * std::pow(s + scale, 3));
}

Table enclosed_mass(const Density& density, double mass, const std::vector<double>& radii) {
  Table result{radii, std::vector<double>(radii.size())};
  const auto shell = [&](double r) { return r * r * density(r); };
  result.y[0] = radii[0] * shell(radii[0]) / 3.0;
  for (std::size_t k = 1; k < radii.size(); ++k) {
    const double a = radii[k - 1], b = radii[k];
    result.y[k] = result.y[k - 1] + (b - a) / 6.0 * (shell(a) + 4.0 * shell(0.5 * (a + b)) + shell(b));
  }
  const double total = result.y.back();
  for (double& each : result.y) each *= mass / total;
  return result;
}

Table softened_potential(const Table& mass, double softening) {
  const std::vector<double>& r = mass.x;
  Table psi{r, std::vector<double>(r.size())};
  for (std::size_t i = 0; i < r.size(); ++i) {
    double phi = mass.y[0] * shell_potential(r[i], 0.8 * r[0], softening * softening);
    for (std::size_t k = 1; k < r.size(); ++k) {
      phi +=
          (mass.y[k] - mass.y[k - 1]) * shell_potential(r[i], 0.5 * (r[k] + r[k - 1]), softening * softening);
    }
    psi.y[i] = -phi;
  }
  const double at_edge = psi.y.back();
  for (double& each : psi.y) each -= at_edge;
  return psi;
}

Table eddington(const Density& density, const Table& potential) {
  const std::size_t n = potential.x.size();
  // From the edge inwards, so that psi increases.
  std::vector<double> psi(potential.y.rbegin(), potential.y.rend()), rho(n), slope(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) rho[k] = density(potential.x[n - 1 - k]);
  for (std::size_t k = 1; k + 1 < n; ++k) {
    slope[k] = (rho[k + 1] - rho[k - 1]) / (psi[k + 1] - psi[k - 1]);
  }
  slope[n - 1] = slope[n - 2];
  Table result{psi, std::vector<double>(n)};
  for (std::size_t e = 0; e < n; ++e) {
    double sum = 0.0;
    for (std::size_t k = 0; k < e; ++k) {
      const double curvature = (slope[k + 1] - slope[k]) / (psi[k + 1] - psi[k]);
      sum += 2.0 * curvature * (std::sqrt(psi[e] - psi[k]) - std::sqrt(psi[e] - psi[k + 1]));
    }
    result.y[e] = std::max(0.0, sum) / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
  }
  return result;
}

void place_spheroid(Particles& particles, std::size_t first, const Spheroid& spheroid, const Table& potential,
                    std::size_t count, Random& random) {
  const Table mass = enclosed_mass(spheroid, spheroid.mass, potential.x);
  const Table distribution = eddington(spheroid, potential);
  const double each = spheroid.mass / static_cast<double>(count);
  const std::size_t pairs = (count + 1) / 2;
  SharedTicker ticker(particles.ticker, first);
  draw_in_blocks(pairs, random, ticker, [&](std::size_t k, Random& own) {
    const double fraction = (static_cast<double>(k) + own.uniform()) / static_cast<double>(pairs);
    const double r = inverse(mass, fraction * spheroid.mass);
    const DVec3 x = r * own.direction(), towards = own.direction();
    const DVec3 v = draw_speed(distribution, potential(r), own) * towards;
    const std::size_t i = first + 2 * k;
    particles.set(i, x, v, each, spheroid.component);
    if (2 * k + 1 < count) particles.set(i + 1, -x, -v, each, spheroid.component);
  });
}

}  // namespace orrery::sim
