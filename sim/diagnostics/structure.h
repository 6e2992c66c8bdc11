#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/diagnostics/centered_state.h"
#include "sim/diagnostics/rings.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// The share of the mass whose energy v^2 / 2 + phi is below 0, with velocities relative to the centre's and
/// the softened potential of all others, phi = -G sum m / sqrt(r^2 + eps^2). Of more than `most` bodies every
/// n-th is looked at. 0 without bodies. About N `most` operations.
double bound_fraction(const CenteredState& state, const Physics& physics, std::size_t most = 1'000);

/// A2 = |sum m exp(2 i phi)| / sum m over the profile's bodies nearer to the axis than `radius`: 0 for what
/// is round, near 1 for a thin bar (E. Athanassoula, R. Machado and S. Rodionov 2013, MNRAS 429, 1949, 4.1).
/// n bodies by lot in a round disk give about 1 / sqrt(n). 0 where there are none.
double bar_strength(const CenteredState& state, double radius);

/// Q = sigma_R kappa / (3.36 G Sigma): a disk of stars with Q below 1 breaks up by its own gravity (A. Toomre
/// 1964, ApJ 139, 1217, eq. 65). Infinite where there is no mass.
double toomre_q(double sigma_r, double kappa, double gravitational_constant, double surface_density);

/// A profile at one distance from the axis. NaN: not known.
struct ProfilePoint {
  Ring ring;
  double circular_speed = 0.0;  ///< sim/diagnostics/circular_speed.h
  double kappa = 0.0;           ///< epicyclic frequency
  double toomre_q = 0.0;
};

/// Distance from the axis and the velocity along it outward and around, of one body.
struct PhasePoint {
  double radius = 0.0, v_r = 0.0, v_phi = 0.0;
};

/// The structure of one galaxy at one time. `sample` describes the bodies it was computed from.
struct Structure {
  static constexpr std::array<double, 5> fractions{0.1, 0.25, 0.5, 0.75, 0.9};
  std::array<double, 5> lagrange{};  ///< radii of spheres with these fractions of the mass
  double bound = 0.0;                ///< share of the mass
  double a2 = 0.0;                   ///< bar strength within the profile's half-mass radius
  DVec3 center;
  std::vector<ProfilePoint> profile;
  std::vector<PhasePoint> phase;   ///< some of the profile's bodies
  std::size_t sample = 0, of = 0;  ///< bodies that it is found from, and of how many
};

/// Computes the structure. For charges, circular speed, kappa, Q and the bound fraction are meaningless: they
/// are NaN. Uses one thread, and less than half a second for any number of bodies with the default sample.
Structure structure_of(const StateView& state, std::span<const Component> component, const Physics& physics,
                       const CenteringRequest& request = {});

}  // namespace orrery::sim
