#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/activity/map_options.h"
#include "sim/engines/engine.h"

namespace orrery::sim {

/// The activity map that the CPU engine counts, with the memory for that.
class HostMap {
 public:
  void load(std::span<const Vec3> position) { chosen_.load(position); }
  void configure(const Configuration& configuration, std::span<const Vec3> position) {
    chosen_.configure(configuration, position);
  }
  const MapSpec& spec() const { return chosen_.spec(); }
  bool fits(const VertexTarget& target) const {
    return target.map != nullptr && spec().size > 0 && target.map_size == spec().size;
  }
  /// Counts bodies, out of so many in all, into a target that it fits.
  void write(std::span<const Vec3> position, std::size_t all_bodies, int threads,
             const VertexTarget& target) {
    const MapGrid grid(spec());
    counts_.resize(grid.cells());
    count_bodies(position, grid, threads, scratch_, counts_);
    const std::span cells(target.map + map_header, grid.cells());
    target.map[0] = map_values(counts_, spec().values, spec().size, all_bodies, threads, cells);
  }

 private:
  ChosenMap chosen_;
  std::vector<std::uint32_t> counts_, scratch_;
};

}  // namespace orrery::sim
