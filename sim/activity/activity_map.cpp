#include "sim/activity/activity_map.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

float coordinate(const Vec3& x, int axis) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; }

/// A private map a thread pays where most cells get a body; it is added up afterwards.
void count_privately(std::span<const Vec3> position, const MapGrid& grid, int threads,
                     std::vector<std::uint32_t>& scratch, std::span<std::uint32_t> counts) {
  const std::size_t cells = grid.cells();
  scratch.assign(static_cast<std::size_t>(threads) * cells, 0);
#pragma omp parallel num_threads(threads)
  {
    auto* const mine = scratch.data() + static_cast<std::size_t>(omp_get_thread_num()) * cells;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < position.size(); ++i) {  // NOLINT(modernize-loop-convert): OpenMP's
      const std::size_t cell = grid.cell_of(position[i]);
      if (cell < cells) ++mine[cell];
    }
    // The loop's end is a barrier: all private maps are whole.
#pragma omp for schedule(static)
    for (std::size_t cell = 0; cell < cells; ++cell) {
      std::uint32_t sum = 0;
      for (std::size_t k = cell; k < scratch.size(); k += cells) sum += scratch[k];
      counts[cell] = sum;
    }
  }
}

void count_atomically(std::span<const Vec3> position, const MapGrid& grid, int threads,
                      std::span<std::uint32_t> counts) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t cell = 0; cell < counts.size(); ++cell)  // NOLINT(modernize-loop-convert): OpenMP's
      counts[cell] = 0;
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < position.size(); ++i) {
      const std::size_t cell = grid.cell_of(position[i]);
      if (cell < counts.size()) std::atomic_ref(counts[cell]).fetch_add(1, std::memory_order_relaxed);
    }
  }
}

}  // namespace

MapGrid::MapGrid(const MapSpec& spec) : size(spec.size), axes(map_axes(spec.plane)), box(spec.box) {
  if (size == 0 || size > largest_map)
    throw UsageError(fmt::format("a map of {0} x {0} cells: 1 to {1} along a side", size, largest_map));
  check_map_box(box);
  columns_per_length = static_cast<float>(size) / (box.right - box.left);
  rows_per_length = static_cast<float>(size) / (box.top - box.bottom);
}

std::size_t MapGrid::cell_of(const Vec3& x) const {
  const float along = coordinate(x, axes.column);
  const float up = coordinate(x, axes.row);
  // Comparisons with what is no number are false: such bodies are outside.
  const bool inside = along >= box.left && along <= box.right && up >= box.bottom && up <= box.top;
  if (!inside) return cells();
  const auto column = static_cast<std::size_t>((along - box.left) * columns_per_length);
  const auto row = static_cast<std::size_t>((up - box.bottom) * rows_per_length);
  return std::min(row, size - 1) * size + std::min(column, size - 1);
}

void count_bodies(std::span<const Vec3> position, const MapGrid& grid, int threads,
                  std::vector<std::uint32_t>& scratch, std::span<std::uint32_t> counts) {
  if (grid.cells() <= position.size())
    count_privately(position, grid, threads, scratch, counts);
  else
    count_atomically(position, grid, threads, counts);
}

float map_factor(MapValues values, std::size_t size, std::size_t bodies) {
  if (values == MapValues::count || bodies == 0) return 1.0F;
  return static_cast<float>(size) / static_cast<float>(bodies);
}

float map_most(MapValues values) { return values == MapValues::count ? 4.3e9F : 1.0F; }

float map_values(std::span<const std::uint32_t> counts, MapValues values, std::size_t size,
                 std::size_t bodies, int threads, std::span<float> cells) {
  const float factor = map_factor(values, size, bodies);
  const float most = map_most(values);
  float largest = 0.0F;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : largest)
  for (std::size_t k = 0; k < cells.size(); ++k) {
    cells[k] = std::min(static_cast<float>(counts[k]) * factor, most);
    largest = std::max(largest, cells[k]);
  }
  return largest;
}

void MapCounter::write(std::span<const Vec3> position, const MapSpec& spec, std::size_t all_bodies,
                       int threads, float* to) {
  const MapGrid grid(spec);
  counts_.resize(grid.cells());
  count_bodies(position, grid, threads, scratch_, counts_);
  to[0] = map_values(counts_, spec.values, spec.size, all_bodies, threads, {to + map_header, grid.cells()});
}

}  // namespace orrery::sim
