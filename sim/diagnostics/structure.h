#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/bodies.h"
#include "sim/core/vec3.h"
#include "sim/physics/diagnostics/diagnostics.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

/// Bodies of one galaxy seen from its centre, with the axis of its disk along z. What profiles are made of.
struct CenteredState {
  std::vector<DVec3> position, velocity;
  std::vector<double> mass;  ///< masses; for a sample scaled up, so that sums estimate those over all bodies
  std::vector<bool> in_profile;  ///< disk and gas; where there are none all but the halo; else all
  DVec3 center;               ///< position of the centre in the scene: the median of each coordinate, by mass
  DVec3 center_velocity;      ///< the mean of what lies within the half-mass radius
  DVec3 axis{0.0, 0.0, 1.0};  ///< a unit vector
  std::size_t bodies = 0;     ///< number of bodies of the galaxy that have mass

  std::size_t size() const { return mass.size(); }
};

/// The galaxy and the number of bodies to take.
struct CenteringRequest {
  std::size_t galaxy = 0;     ///< its number; one that is not there gives an empty state
  std::size_t most = 20'000;  ///< sample size: larger galaxies are sampled at random with equal probability
  std::uint64_t seed = 1;
};

/// Bodies without mass, or whose place or velocity is not finite, are left out. The axis is the direction of
/// the angular momentum of what is `in_profile` within its half-mass radius, or z where it does not rotate as
/// one: where |L| is below a third of sum m |x| |v|. `component`: of all bodies, or empty (all are alike).
CenteredState center_state(const StateView& state, std::span<const Component> component,
                           const CenteringRequest& request = {});

/// The radii of spheres about the centre that hold these fractions of the mass, 0 to 1 (S. J. Aarseth 2003,
/// Gravitational N-Body Simulations, 15.2): the distance of the body with which the sum reaches the fraction.
/// `profile_only`: of the bodies that are in the profile. Zeros where there are none.
std::vector<double> lagrange_radii(const CenteredState& state, std::span<const double> fractions,
                                   bool profile_only = false);

/// The bodies between two cylinders about the axis.
struct Ring {
  double inner = 0.0, outer = 0.0;
  std::size_t bodies = 0;
  double mass = 0.0;
  double rotation = 0.0;  ///< mean of v_phi by mass, positive about the axis
  /// Spread of the velocities about their means, by mass: sigma^2 = <v^2> - <v>^2 (J. Binney and S. Tremaine
  /// 2008, Galactic Dynamics, 4.1.2). NaN for fewer than two bodies.
  double sigma_r = 0.0, sigma_phi = 0.0, sigma_z = 0.0;

  double radius() const { return 0.5 * (inner + outer); }
  /// Sigma = m / (pi (R2^2 - R1^2)).
  double surface_density() const;
};

/// `count` rings of equal width that hold 95 % of the profile's bodies by their distance from the axis; none
/// where there are no bodies off the axis.
std::vector<Ring> rings_of(const CenteredState& state, std::size_t count = 24);

/// The speed of circular orbits in the plane of the disk at these distances from the axis: v_c^2 = R |g_R|,
/// with the inward pull of all bodies by softened gravity, the mean over 8 points of the circle (J. Binney
/// and S. Tremaine 2008, Galactic Dynamics, eq. 2.29). 0 where the mean pull is outward. About 8 N operations
/// a distance.
std::vector<double> circular_speeds(const CenteredState& state, std::span<const double> radii,
                                    const Physics& physics);

/// The epicyclic frequency kappa^2 = (2 v_c / R) (v_c / R + dv_c/dR) (ibid., eq. 3.80, with Omega = v_c / R)
/// at each of the radii, which rise and are above 0. The slope is that of a straight line fitted to five
/// neighbouring radii. 0 where circular orbits are unstable; NaN for fewer than three radii.
std::vector<double> epicyclic_frequencies(std::span<const double> radii, std::span<const double> speeds);

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
  double circular_speed = 0.0;  ///< as circular_speeds has it
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
