#include <cmath>

#include "sim/physics/laws/force_law.h"
#include "sim/physics/laws/pair_sum.h"

// The force between moving charges of the electric report, with r = x_i - x_j and R^2 = |r|^2 + eps^2:
//   F_e = K_E q_i q_j r / R^3                                        (Coulomb)
//   F_m = K_M q_i q_j ((v_i . r) v_j - (v_i . v_j) r) / R^3 = q_i v_i x B_j     (Biot and Savart)
//   a_i = (F_e + F_m) / m_i
// F_m is at right angles to v_i: it does no work, and K plus the Coulomb energy is conserved. Action and
// reaction differ, so momentum is not. A charge without mass stays what it is: it acts, and no force moves
// it.

namespace orrery::sim {

namespace {

/// As in the CPU kernels of gravity: closer pairs are one body or coincident ones, and 1/R^3 would overflow.
template <typename T>
constexpr T smallest_squared = 0;
template <>
constexpr float smallest_squared<float> = 1e-24F;

/// The charge of the source is a factor of each term and that of the target one of the sum: K_M q_i q_j alone
/// would be a subnormal number in SI units.
template <typename T>
Vector3<T> acceleration(const ForceState& state, const ForceConstants& constants, std::size_t i,
                        GalaxyRange sources) {
  const auto coulomb = static_cast<T>(constants.coulomb);
  const auto magnetic = static_cast<T>(constants.magnetic);
  const auto eps2 = static_cast<T>(constants.softening_squared);
  const T mass = state.mass[i];
  if (!(mass > 0)) return {};
  const Vector3<T> x(state.position[i]);
  const Vector3<T> v(state.velocity[i]);
  Vector3<T> sum;
  for (std::size_t j = sources.first; j < sources.last; ++j) {
    const auto r = x - Vector3<T>(state.position[j]);
    const Vector3<T> u(state.velocity[j]);
    const T r2 = dot(r, r) + eps2;
    const T inverse = r2 > smallest_squared<T> ? T{1} / std::sqrt(r2) : T{0};
    const T weight = static_cast<T>(state.charge[j]) * (inverse * inverse * inverse);
    sum += weight * ((coulomb - magnetic * dot(v, u)) * r + (magnetic * dot(v, r)) * u);
  }
  return (static_cast<T>(state.charge[i]) / mass) * sum;
}

/// Coulomb's: the magnetic force does no work.
double potential(const PointMasses& charges, GalaxyRange sources, const DVec3& x,
                 const ForceConstants& constants) {
  return inverse_distance_sum(charges, sources, x, constants.softening_squared);
}

}  // namespace

constinit const ForceLaw electric_law{
    .name = "electric",
    .meaning = "charges: Coulomb force and the magnetic force of moving charges (the electric report)",
    .device_code = "electric.cuh",
    .uses_charges = true,
    .acceleration = acceleration<double>,
    .acceleration_single = acceleration<float>,
    .device_constants =
        [](const ForceConstants& c) {
          return DeviceConstants{{c.coulomb, c.softening_squared, c.magnetic}, 3};
        },
    .shared_factor = [](const ForceConstants&) { return 1.0; },
    .weights = [](const ForceState& state) { return state.charge; },
    .strength = [](const ForceConstants& constants) { return constants.coulomb; },
    .potential = potential,
    .field = nullptr,
    .conserves_momentum = [](const ForceConstants& constants) { return constants.magnetic == 0.0; },
};

}  // namespace orrery::sim
