#include "sim/activity/activity_map.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "sim/core/error.h"

namespace orrery::sim {

namespace {

constexpr std::size_t most_looked_at = 100'000;
/// With fewer bodies there are no outliers.
constexpr std::size_t few_bodies = 100;
constexpr double outliers_each_side = 0.02;
constexpr float margin = 0.05F;  ///< margin on each side, as a fraction of the width
constexpr float longest = 1e36F;

float coordinate(const Vec3& x, int axis) { return axis == 0 ? x.x : axis == 1 ? x.y : x.z; }

/// First and last value along an axis.
struct Extent {
  float first = 0.0F;
  float last = 1.0F;
  float middle() const { return 0.5F * first + 0.5F * last; }
  float length() const { return last - first; }
};

std::vector<float> finite_values(std::span<const Vec3> position, int axis, std::size_t stride) {
  std::vector<float> values;
  values.reserve(position.size() / stride + 1);
  for (std::size_t i = 0; i < position.size(); i += stride) {
    const float value = coordinate(position[i], axis);
    if (std::isfinite(value)) values.push_back(value);
  }
  return values;
}

Extent whole_extent(std::vector<float> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::ranges::minmax_element(values);
  return {*low, *high};
}

/// Without the outliers, and with room around.
Extent usual_extent(std::vector<float> values) {
  if (values.size() < few_bodies) return whole_extent(std::move(values));
  const auto skipped = static_cast<std::ptrdiff_t>(outliers_each_side * static_cast<double>(values.size()));
  std::ranges::nth_element(values, values.begin() + skipped);
  const float first = values[static_cast<std::size_t>(skipped)];
  std::ranges::nth_element(values, values.end() - 1 - skipped);
  const float last = *(values.end() - 1 - skipped);
  const auto all = whole_extent(std::move(values));
  const float room = margin * (last - first);
  return {std::max(all.first, first - room), std::min(all.last, last + room)};
}

Extent extent_of(std::span<const Vec3> position, int axis, MapFit fit) {
  if (fit == MapFit::all) return whole_extent(finite_values(position, axis, 1));
  const std::size_t stride =
      std::max<std::size_t>((position.size() + most_looked_at - 1) / most_looked_at, 1);
  return usual_extent(finite_values(position, axis, stride));
}

/// As long as `side`, around the same middle; never shorter than it was.
Extent widened(const Extent& extent, float side) {
  const float middle = extent.middle();
  return {std::min(extent.first, middle - 0.5F * side), std::max(extent.last, middle + 0.5F * side)};
}

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

MapAxes map_axes(MapPlane plane) {
  if (plane == MapPlane::xz) return {0, 2};
  return plane == MapPlane::yz ? MapAxes{1, 2} : MapAxes{0, 1};
}

MapBox fitted_map_box(std::span<const Vec3> position, MapPlane plane, MapFit fit) {
  const auto axes = map_axes(plane);
  auto columns = extent_of(position, axes.column, fit);
  auto rows = extent_of(position, axes.row, fit);
  float side = std::max(columns.length(), rows.length());
  // All bodies in one place: any square around it does, as long as single precision knows it from a point.
  if (!(side > 0.0F))
    side = std::max({1.0F, 1e-3F * std::abs(columns.middle()), 1e-3F * std::abs(rows.middle())});
  columns = widened(columns, side);
  rows = widened(rows, side);
  return {columns.first, columns.last, rows.first, rows.last};
}

void check_map_box(const MapBox& box) {
  const auto good = [](float low, float high) {
    const bool small = std::abs(low) < longest && std::abs(high) < longest;
    return small && low < high && high - low > 1e-30F;
  };
  if (!good(box.left, box.right))
    throw UsageError(fmt::format(
        "the map's box goes from {:g} to {:g} along its columns: the left edge must be below the right one",
        box.left, box.right));
  if (!good(box.bottom, box.top))
    throw UsageError(fmt::format(
        "the map's box goes from {:g} to {:g} along its rows: the bottom edge must be below the top one",
        box.bottom, box.top));
}

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
