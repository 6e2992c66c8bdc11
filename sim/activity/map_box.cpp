#include "sim/activity/map_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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

}  // namespace orrery::sim
