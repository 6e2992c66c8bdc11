#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "sim/core/vec3.h"

namespace orrery::sim {

struct GalaxyRange;
struct PointMasses;  // sim/physics/laws/pair_sum.h

/// The body data that a force law may read. Views of one length; `velocity` and `charge` may be empty for
/// laws that do not use charges.
struct ForceState {
  std::span<const Vec3> position;
  std::span<const Vec3> velocity;
  std::span<const float> mass;
  std::span<const float> charge;
};

/// The strengths of all laws, in the units of the scene. A law reads its own.
struct ForceConstants {
  double gravitational_constant = 1.0;
  double coulomb = 1.0;   ///< K_E, force length^2 / charge^2
  double magnetic = 0.1;  ///< K_M, force time^2 / charge^2: K_E / c^2
  double softening_squared = 0.0;
};

/// Numbers in the order of the structure Constants of a law's device code.
struct DeviceConstants {
  std::array<double, 4> value{};
  std::size_t count = 0;
};

/// A force law between bodies. Each law lives in its own file; adding one takes that file, its device code,
/// and one line in CMakeLists.txt of this folder.
struct ForceLaw {
  std::string_view name;         ///< as in --set force-law=NAME
  std::string_view meaning;      ///< one line for the panel and the help
  std::string_view device_code;  ///< file of the device code, in sim/cuda/laws
  bool
      uses_charges;  ///< charges and velocities decide the force: engines then keep them beside the positions

  /// The acceleration of body i by the bodies `sources` of its galaxy, in double precision, written plainly:
  /// the reference of every engine. Pairs at zero softened distance are left out.
  DVec3 (*acceleration)(const ForceState& state, const ForceConstants& constants, std::size_t i,
                        GalaxyRange sources);
  /// The acceleration in single precision, for the CPU kernels; nullptr: they have this law inlined.
  Vec3 (*acceleration_single)(const ForceState& state, const ForceConstants& constants, std::size_t i,
                              GalaxyRange sources);
  DeviceConstants (*device_constants)(const ForceConstants& constants);
  /// The common factor of all sums in device code (its function `strength`).
  double (*shared_factor)(const ForceConstants& constants);
  /// The potential energy is strength * sum_{i<j} w_i w_j phi(r_ij), with these weights.
  std::span<const float> (*weights)(const ForceState& state);
  double (*strength)(const ForceConstants& constants);
  /// sum_j w_j phi(|x_j - x|) over `sources`, in double precision and by a loop that vectorizes. Sources at
  /// zero softened distance are left out.
  double (*potential)(const PointMasses& weights, GalaxyRange sources, const DVec3& x,
                      const ForceConstants& constants);
  /// `acceleration` at x by such a loop, for laws whose force depends on places and weights only: a million
  /// bodies are checked while they move. nullptr: the other one serves.
  DVec3 (*field)(const PointMasses& weights, GalaxyRange sources, const DVec3& x,
                 const ForceConstants& constants);
  /// False where action and reaction differ: drifts of momentum then say nothing about the integration.
  bool (*conserves_momentum)(const ForceConstants& constants);
  /// The rate of change of `acceleration` along the bodies' velocities, da/dt: the reference for
  /// sim/cpu/jerk.h. nullptr: not known, and Hermite methods are refused.
  DVec3 (*jerk)(const ForceState& state, const ForceConstants& constants, std::size_t i,
                GalaxyRange sources) = nullptr;
  std::string_view device_jerk = {};  ///< file of its device code, in sim/cuda/laws
};

/// All laws, the default (gravity) first.
std::span<const ForceLaw* const> force_laws();
/// The law of that name, or nullptr.
const ForceLaw* find_force_law(std::string_view name);

/// a_i = G sum_j m_j (x_j - x_i) / R^3 with R^2 = |x_j - x_i|^2 + eps^2.
extern const ForceLaw gravity_law;
/// Coulomb and magnetic force of moving charges; electric.cpp has the formula.
extern const ForceLaw electric_law;
/// Gravity softened by Gadget's cubic spline; gravity_spline.cpp has the formula.
extern const ForceLaw gravity_spline_law;

/// Why loops that have Plummer's softening in them compute no other.
inline constexpr std::string_view plummer_only = "it is made for Plummer's softening";

}  // namespace orrery::sim
