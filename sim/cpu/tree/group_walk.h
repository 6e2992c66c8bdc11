#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/cpu/tree/block_walk.h"
#include "sim/tree/octree.h"
#include "sim/tree/tree_settings.h"

namespace orrery::sim {

/// The sources that act on a group of bodies.
struct GroupSources {
  using Body = std::array<float, 4>;  ///< x, y, z, mass
  /// x, y, z from the group's centre, mass, second moments S times -3, and half the sum of the three squares'
  /// among these.
  using Cell = std::array<float, 11>;
  /// Third moments as in ThirdNumbers, and those that follow from them: xzz, yzz.
  using Third = std::array<float, 9>;
  static constexpr std::size_t far_columns = 10, third_columns = 7;

  std::vector<Body> bodies;
  std::vector<Cell> cells;
  std::vector<Third> third;  ///< third moments of the first cells; the others have none
  /// Cells so far away that one series for all of the group holds their pull: the same numbers as columns,
  /// positions relative to `middle`. Padded with massless ones to whole vectors.
  std::array<std::vector<float>, far_columns> far;
  std::array<std::vector<float>, third_columns> far_third;  ///< as ThirdNumbers; none where cells have none
  std::size_t far_count = 0;
  Vec3 middle;          ///< centre of the group's box
  float radius = 0.0F;  ///< from there to the farthest body
};

/// Walks a tree for a group of bodies that are neighbours on its curve.
///
/// A cell is used as a whole if its bodies are within a smaller distance of its centre of mass than the
/// smallest box around the group, so that none of them is in the group, and if it is far enough. Geometric: d
/// > size / theta + offset (Barnes, A Modified Tree Code, 1990). Relative: M reach^3 / d^5 < alpha |a|, the
/// size of the first term that second moments leave out (after Springel, MNRAS 364, 1105, 2005; of a mass
/// alone it is M reach^2 / d^4), where d is that of cell_rule(). |a| is an estimate of the acceleration in
/// the middle of the group, from a coarse walk: the result depends on the bodies alone, and not on forces of
/// a step before.
class GroupWalk {
 public:
  /// Both must outlive the walk.
  GroupWalk(const Octree& tree, const WalkTable& table, const TreeSettings& settings,
            const InstructionSet& instructions = instruction_set("auto"));

  /// The pull in the middle of the last group, in the table's units; 0 where the opening is geometric.
  float coarse_pull() const { return coarse_pull_; }
  /// Fills `sources` with all that acts on the bodies [first, first + count) of the curve. False as soon as
  /// there are more than `most` bodies in it: the group's box holds others, and it is better divided.
  bool collect(std::size_t first, std::size_t count, std::size_t most, GroupSources& sources);

  /// The body from which places of cells count for the last group: one in the middle of its run on the curve.
  /// The middle of the box would be far from most where one of them has escaped.
  const Vec3& center() const { return center_; }

 private:
  Box place(std::size_t first, std::size_t count);
  void set_opening();
  void place_series(std::size_t first, std::size_t count, GroupSources& sources);
  void add_cells(GroupSources& sources);
  void add_far_cells(GroupSources& sources);

  const Octree& tree_;
  const WalkTable& table_;
  TreeSettings settings_;
  double eta_;
  Vec3 center_;
  BlockWalk walk_;
  float coarse_pull_ = 0.0F;
};

/// Bodies that walked the tree together, and what acts on them. Bodies have the places that they have in the
/// dataset: a close pair in a group that is wide would lose its distance if both were rounded from a centre.
/// Arrays hold whole vectors, and what lies after the last body repeats it.
struct GroupTask {
  alignas(64) float x[most_group], y[most_group], z[most_group];
  alignas(64) float ax[most_group], ay[most_group], az[most_group];  ///< result, without G
  std::size_t count = 0;
  float center[3] = {};  ///< from which places of cells count
  const GroupSources::Body* bodies = nullptr;
  std::size_t body_count = 0;
  const GroupSources::Cell* cells = nullptr;
  std::size_t cell_count = 0;
  const GroupSources::Third* third = nullptr;  ///< third moments of the first third_count cells
  std::size_t third_count = 0;
  float third_unit = 1.0F;        ///< the length in whose units these are
  bool series_has_third = false;  ///< so have the cells of the series
  /// Cells that act by one series for the group: x, y, z from its middle, mass, second moments. Behind the
  /// last one massless ones fill a vector.
  const float* far[GroupSources::far_columns] = {};
  const float* far_third[GroupSources::third_columns] = {};  ///< third moments, if the series has them
  std::size_t far_count = 0;
  float middle[3] = {};  ///< expansion centre of the series
  float radius = 0.0F;   ///< within which all bodies are; above 0 where there are far cells
  double softening_squared = 0.0;
  /// Squared distances may be zero or overflow: each is looked at.
  bool guarded = false;
};
using GroupFunction = void(GroupTask& task);

}  // namespace orrery::sim
