#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/activity/activity_map.h"

namespace orrery::sim::checks {

/// The bodies in each cell, counted one after the other with plain loops.
inline std::vector<std::uint32_t> plain_counts(std::span<const Vec3> position, const MapGrid& grid) {
  std::vector<std::uint32_t> counts(grid.cells());
  for (const auto& x : position) {
    const std::size_t cell = grid.cell_of(x);
    if (cell < counts.size()) ++counts[cell];
  }
  return counts;
}

/// The map that an engine publishes of a dataset of these bodies.
inline std::vector<float> plain_map(std::span<const Vec3> position, const MapSpec& spec) {
  const auto counts = plain_counts(position, MapGrid(spec));
  std::vector<float> map(map_header + counts.size());
  map[0] = map_values(counts, spec.values, spec.size, position.size(), 1, std::span(map).subspan(map_header));
  return map;
}

}  // namespace orrery::sim::checks
