#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/tree/octree.h"
#include "sim/tree/potential_sums.h"

namespace orrery::sim {

/// The potentials of bodies by a walk through their tree, for the bodies of a small cell at once.
///
/// A cell that is farther from that cell's box than size / theta + offset, and than its own reach, counts as
/// a whole, to second order in its extent: the Taylor series of the softened potential about its centre of
/// mass (opening as J. Barnes, J. Comp. Phys. 87, 161, 1990; sums in potential_sums.h). All others are summed
/// body by body.
class TreePotential {
 public:
  /// W of spheres and disks then is right to about 1e-5 (docs/trees.md).
  static constexpr double usual_theta = 0.6;

  /// The tree must outlive it. theta = 0: every pair is summed.
  explicit TreePotential(const Octree& tree, double softening_squared, double theta = usual_theta);

  /// Cells of at most 256 bodies, side by side on the curve, which have mass.
  std::size_t groups() const { return groups_.size(); }
  /// The working memory of one thread.
  struct Scratch {
    PotentialSources sources;
    std::vector<std::uint32_t> stack;
  };
  /// Writes sum_j m_j / sqrt(r^2 + eps^2) over all others for each body of a group, at their positions on the
  /// curve. Pairs at distance 0 without softening are left out. Threads may work on different groups.
  void sum(std::size_t group, Scratch& scratch, std::span<double> potential) const;

 private:
  bool is_far(const TreeNode& node, const Box& box) const;
  std::array<float, 3> scaled(const Vec3& place) const;
  void add_cell(std::uint32_t node, PotentialSources& sources) const;
  void add_bodies(const TreeNode& node, PotentialSources& sources) const;
  void collect(const TreeNode& group, Scratch& scratch) const;

  const Octree& tree_;
  double inverse_theta_ = 0.0;                           ///< 0: no cell is far
  float length_scale_, mass_scale_, softening_squared_;  ///< scaled: powers of two, which change no digit
  std::vector<std::uint32_t> groups_;
};

}  // namespace orrery::sim
