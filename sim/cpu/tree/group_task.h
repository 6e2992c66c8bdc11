#pragma once

#include <cstddef>

#include "sim/cpu/tree/group_walk.h"

namespace orrery::sim {

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
