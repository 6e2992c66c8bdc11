#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/bodies/partition.h"
#include "sim/core/vec3.h"

namespace orrery::sim {

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

/// Cuts bodies in the order of a curve (curve_order) into stretches of work as the weights, of which there is
/// at least one, all positive. `work`: of each body of the dataset; empty: all the same. No stretch is empty
/// while there are bodies.
std::vector<BodyRange> cut_order(std::span<const std::uint32_t> order, std::span<const float> work,
                                 std::span<const double> weights);

}  // namespace orrery::sim
