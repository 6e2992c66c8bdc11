#pragma once

#include <cstdint>
#include <span>

#include "sim/core/vec3.h"

namespace orrery::sim {

/// Bits of a Hilbert key for each axis.
inline constexpr int hilbert_bits = 21;

/// The place of a cell of a grid of 2^21 cells per side on Hilbert's curve: 63 bits, three for each level
/// from the coarsest to the finest, so that what lies in one octant of any level has a common prefix. Cells
/// with neighbouring keys are neighbours in space. Coordinates are below 2^21. Source: C. Hamilton, Compact
/// Hilbert Indices, Dalhousie University CS-2006-07, algorithm 2, as a table of the 24 states of the curve.
std::uint64_t hilbert_key(std::uint32_t x, std::uint32_t y, std::uint32_t z);

/// A box with sides along the axes.
struct Box {
  Vec3 least, most;
};

/// The smallest box around positions, of which there is at least one.
Box box_around(std::span<const Vec3> positions);
/// The smallest box around positions, found on several threads.
Box box_around(std::span<const Vec3> positions, int threads);
/// The smallest box around both.
Box joined(const Box& a, const Box& b);
DVec3 middle_of(const Box& box);

/// The places of bodies on a grid over the cube at the least corner of a box that holds it, as keys of
/// Hilbert's curve (hilbert_key). What lies outside counts as of the outermost cells.
class CurveGrid {
 public:
  explicit CurveGrid(const Box& box);
  std::uint64_t key(const Vec3& position) const;

 private:
  DVec3 least_;
  double scale_ = 0.0;
};

/// A grid on Hilbert's curve whose cells are even where most bodies are, and widen outside, so that a body
/// far away does not put all others into one cell. That of the GPU's tree (sim/cuda/families/tree_sort.cu).
class EvenGrid {
 public:
  EvenGrid() = default;
  /// Fits the grid to the spread of a sample of these bodies.
  explicit EvenGrid(std::span<const Vec3> position);
  /// A grid with these parameters.
  EvenGrid(const Vec3& middle, float spread);
  /// The place of a position on the curve (hilbert_key).
  std::uint64_t key(const Vec3& position) const;
  const Vec3& middle() const { return middle_; }
  /// The extent of most bodies along an axis.
  float spread() const { return spread_; }

 private:
  Vec3 middle_;
  float spread_ = 0.0F;
  double scale_ = 0.0;
};

}  // namespace orrery::sim
