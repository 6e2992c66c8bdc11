// What the trees of the CPU and of the GPU have in common besides tree_rule.cuh: the values of the rule for
// cells, sums of moments, and Hilbert's curve. C++ includes it; the run-time compiler gets it before the
// other files of the family.
#ifdef __CUDACC_RTC__
#define HOST_DEVICE __device__ __forceinline__
#else
#pragma once
#define HOST_DEVICE inline

namespace orrery::sim {
#endif

/// The values with which the rule for cells compares (docs/trees.md, "How far is far"). A new one is given
/// its value by cell_rule() and used by tree_rule.cuh: all walks then have it.
template <typename Number>
struct CellRuleOf {
  /// Times what the cell leaves out: M b^n / d^(n + 2) with n = first_left_out().
  Number caution = 1;
  /// d is the distance from a box with this part of the sides of the group's, around the same middle: most
  /// bodies of the group are not nearer to the cell.
  Number inner_part = 1;
  /// Its square counts as at most that many times that of the distance from the whole box, which bounds the
  /// error of the nearest bodies.
  Number most_times = 1;
  /// distance_power() of the order.
  Number power = 0;
  /// second_moments_margin().
  Number second_margin = 0;

  template <typename Other>
  CellRuleOf<Other> as() const {
    return {(Other)caution, (Other)inner_part, (Other)most_times, (Other)power, (Other)second_margin};
  }
};

/// Costs.
enum : unsigned {
  bodies_of_a_cell = 3  ///< a cell costs as much as that many bodies, so smaller leaves are never one
};

/// A squared length, or a length, rounded up by more than what single precision takes off a distance: no body
/// at the border of a cell may seem to be outside.
HOST_DEVICE float rounded_out(float length) { return 1.000001f * length; }

/// Where pulls cancel, as in the centre of a galaxy, this part of the sum of their sizes counts as the
/// acceleration: an error relative to nothing cannot be met.
HOST_DEVICE float kept_of_pulls(float sum_of_sizes) { return 0.01f * sum_of_sizes; }

/// Second moments of masses about a point.
struct SecondSums {
  double xx, xy, xz, yy, yz, zz;
};
/// Adds a mass at this place.
HOST_DEVICE void add_second(SecondSums& s, double m, double x, double y, double z) {
  s.xx += m * x * x, s.xy += m * x * y, s.xz += m * x * z;
  s.yy += m * y * y, s.yz += m * y * z, s.zz += m * z * z;
}
/// Adds what a part has about its own centre.
HOST_DEVICE void add_second(SecondSums& s, const SecondSums& part) {
  s.xx += part.xx, s.xy += part.xy, s.xz += part.xz;
  s.yy += part.yy, s.yz += part.yz, s.zz += part.zz;
}

/// One level of Hilbert's curve for an octant: its digit of the key, and the state of the next level. A state
/// is the corner at which the curve enters, and an axis: corner * 3 + axis. Source: C. Hamilton, Compact
/// Hilbert Indices, Dalhousie University CS-2006-07, algorithm 2.
struct CurveTurn {
  unsigned digit, next;
};
HOST_DEVICE constexpr unsigned rotated_left(unsigned bits, unsigned by) {
  return ((bits << by % 3) | (bits >> (3 - by % 3))) & 7;
}
HOST_DEVICE constexpr CurveTurn curve_turn(unsigned state, unsigned octant) {
  const unsigned corner = state / 3, axis = state % 3;
  const unsigned code = rotated_left(octant ^ corner, 5 - axis);
  const unsigned digit = code ^ (code >> 1) ^ (code >> 2);
  // The corner at which the curve enters this octant, and the axis along which it crosses it.
  const unsigned before = digit == 0 ? 0 : 2 * ((digit - 1) / 2);
  const unsigned even = digit % 2 == 0 ? digit - 1 : digit;
  const unsigned along = digit == 0 || (even & 7) == 7 ? 0 : (even & 3) == 3 ? 2 : 1;
  const unsigned next_corner = corner ^ rotated_left(before ^ (before >> 1), axis + 1);
  return {digit, next_corner * 3 + (axis + along + 1) % 3};
}

#ifndef __CUDACC_RTC__
#undef HOST_DEVICE
}  // namespace orrery::sim
#endif
