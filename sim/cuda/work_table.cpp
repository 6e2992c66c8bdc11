#include "sim/cuda/work_table.h"

#include <algorithm>

namespace orrery::sim::cuda {

namespace {

/// Bodies and sources that one block covers, and the columns of blocks that cover all sources.
struct BlockShape {
  std::size_t targets;
  std::size_t sources;

  BlockShape(const KernelConfiguration& c, int block)
      : targets(static_cast<std::size_t>(block)), sources(std::size_t{1} << 31U) {
    if (c.fused || c.family != "tiled-2d") return;
    targets = static_cast<std::size_t>(c.length);
    sources = static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.span);
  }
};

WorkItem item_of(const ForceSlice& slice, std::size_t target, std::size_t column, std::size_t scratch) {
  const auto index = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
  return {.first = index(slice.galaxy.first),
          .last = index(slice.galaxy.last),
          .begin = index(slice.begin),
          .end = index(slice.end),
          .target = index(target),
          .column = index(column),
          .scratch = scratch};
}

void add_forces(WorkTable& table, const ForceSlice& slice, const BlockShape& shape) {
  const std::size_t columns = (slice.galaxy.size() + shape.sources - 1) / shape.sources;
  for (std::size_t target = slice.begin; target < slice.end; target += shape.targets) {
    const auto targets = static_cast<double>(std::min(shape.targets, slice.end - target));
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t sources = std::min(shape.sources, slice.galaxy.size() - column * shape.sources);
      table.forces.push_back(item_of(slice, target, column, table.scratch_reals));
      table.interactions.push_back(table.interactions.back() + targets * static_cast<double>(sources));
    }
  }
}

}  // namespace

std::size_t partial_rows(const KernelConfiguration& c, std::size_t sources) {
  const auto covered = static_cast<std::size_t>(c.width) * static_cast<std::size_t>(c.span);
  return (sources + covered - 1) / covered * static_cast<std::size_t>(c.width);
}

WorkTable work_table(const KernelConfiguration& c, int block, std::span<const ForceSlice> slices) {
  std::vector<ForceSlice> largest_first(slices.begin(), slices.end());
  std::ranges::stable_sort(largest_first, std::ranges::greater{},
                           [](const ForceSlice& slice) { return slice.galaxy.size(); });
  const BlockShape shape(c, block);
  WorkTable table{.forces = {}, .interactions = {0.0}, .sums = {}, .scratch_reals = 0};
  for (const auto& slice : largest_first) {
    add_forces(table, slice, shape);
    if (c.fused || c.family != "tiled-2d") continue;
    for (std::size_t target = slice.begin; target < slice.end; target += sum_block)
      table.sums.push_back(item_of(slice, target, 0, table.scratch_reals));
    table.scratch_reals += 3 * partial_rows(c, slice.galaxy.size()) * (slice.end - slice.begin);
  }
  return table;
}

}  // namespace orrery::sim::cuda
