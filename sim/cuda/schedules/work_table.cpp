#include "sim/cuda/schedules/work_table.h"
#include "sim/cuda/driver/api.h"

#include <algorithm>

namespace orrery::sim::cuda {

namespace {

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

void add_forces(WorkTable& table, const ForceSlice& slice, const BatchShape& shape) {
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

WorkTable work_table(const KernelConfiguration& c, int block, std::span<const ForceSlice> slices) {
  std::vector<ForceSlice> largest_first(slices.begin(), slices.end());
  std::ranges::stable_sort(largest_first, std::ranges::greater{},
                           [](const ForceSlice& slice) { return slice.galaxy.size(); });
  const auto shape = c.family->batch(c, block);
  WorkTable table{.forces = {}, .interactions = {0.0}, .sums = {}, .scratch_reals = 0};
  for (const auto& slice : largest_first) {
    add_forces(table, slice, shape);
    if (shape.partial_rows == nullptr) continue;
    for (std::size_t target = slice.begin; target < slice.end; target += adding_block)
      table.sums.push_back(item_of(slice, target, 0, table.scratch_reals));
    table.scratch_reals += 3 * shape.partial_rows(c, slice.galaxy.size()) * slice.targets();
  }
  return table;
}

void TableOnGpu::make(const KernelConfiguration& kernel, int block, std::span<const ForceSlice> slices,
                      CUstream stream) {
  if (is_current_) return;
  table_ = work_table(kernel, block, slices);
  auto all = table_.forces;
  all.insert(all.end(), table_.sums.begin(), table_.sums.end());
  items_.resize(all.size() * sizeof(WorkItem));
  check(driver()->cuMemcpyHtoDAsync(items_.pointer(), all.data(), items_.size(), stream),
        "copying the table of blocks");
  check(driver()->cuStreamSynchronize(stream), "copying the table of blocks");
  is_current_ = true;
}

}  // namespace orrery::sim::cuda
