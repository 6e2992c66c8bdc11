#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/diagnostics/centered_state.h"
#include "sim/diagnostics/rings.h"
#include "sim/physics/physics.h"

namespace orrery::sim {

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
