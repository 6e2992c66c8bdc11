#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "sim/core/random.h"
#include "sim/galaxies/particles.h"
#include "sim/galaxies/table.h"

namespace orrery::sim {

/// A Hernquist (1990) sphere with a rounded centre and a smooth edge:
/// rho ~ (1 - (r/edge)^2)^2 / (s (s + scale)^3) with s^2 = r^2 + core^2. The core is there because a cusp
/// inside the softening length has no equilibrium, the edge because f(E) has a jump where rho has one.
struct Spheroid {
  double mass = 1.0;
  double scale = 1.0;
  double edge = 10.0;
  double core = 0.0;
  Component component = Component::other;

  /// The density, not normalized.
  double operator()(double r) const;
};

/// A spherical density by radius, not normalized.
using Density = std::function<double(double)>;

/// The share of `mass` inside r of that density, on the given radii; nothing is beyond the last one.
Table enclosed_mass(const Density& density, double mass, const std::vector<double>& radii);

/// The relative potential psi(r) = phi(edge) - phi(r) >= 0 of spherical shells, G = 1, with forces softened
/// by `softening`: a shell of mass m and radius s has phi(r) = -m / (2 r s) (sqrt((r+s)^2 + eps^2) -
/// sqrt((r-s)^2 + eps^2)). `mass` is the total mass inside each of its radii; the potential is given on the
/// same radii.
Table softened_potential(const Table& mass, double softening);

/// The isotropic distribution function f(E) of that density in the potential psi, by Eddington's formula
/// f(E) = 1/(sqrt(8) pi^2) int_0^E d^2rho/dpsi^2 dpsi / sqrt(E - psi)  (Binney & Tremaine 2008, eq. 4.46b).
/// Not normalized; on increasing energies. Negative values, where no isotropic f exists, are set to 0.
Table eddington(const Density& density, const Table& potential);

/// A speed from p(v) ~ v^2 f(psi - v^2/2) where the relative potential is psi.
double draw_speed(const Table& distribution, double psi, Random& random);

/// Makes `count` bodies from the `first` on, which are there already, in equilibrium with the potential: one
/// pair in each of count/2 shells of equal mass, at opposite places with opposite velocities. This quiet
/// start keeps the few heavy bodies of a halo from pushing a disk off their centre. All cores work on
/// it.
void place_spheroid(Particles& particles, std::size_t first, const Spheroid& spheroid, const Table& potential,
                    std::size_t count, Random& random);

}  // namespace orrery::sim
