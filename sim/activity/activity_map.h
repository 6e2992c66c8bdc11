#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/vec3.h"

// Where an activity map looks: a plane, and a rectangle in it.
namespace orrery::sim {

/// The plane that bodies are projected onto: which coordinates run along the columns and the rows.
enum class MapPlane { xy, xz, yz };
inline constexpr std::array<std::string_view, 3> map_plane_names{"xy", "xz", "yz"};

/// Axis (0: x, 1: y, 2: z) of the columns, and of the rows.
struct MapAxes {
  int column = 0;
  int row = 1;
};
MapAxes map_axes(MapPlane plane);

/// A closed rectangle in the plane, in the dataset's units: bodies on its edges are inside.
struct MapBox {
  float left = 0.0F, right = 1.0F;  ///< along the columns
  float bottom = 0.0F, top = 1.0F;  ///< along the rows
  friend bool operator==(const MapBox&, const MapBox&) = default;
};

/// Choice of the map's box.
enum class MapFit {
  most,  ///< a square around 96 of 100 bodies along each axis, with a margin: outliers do not shrink the rest
  all,   ///< the smallest square that holds all bodies
};

/// The square around these bodies (at most 100 000 of them are looked at for MapFit::most). Bodies that are
/// not finite are left out; without any body it is the unit square.
MapBox fitted_map_box(std::span<const Vec3> position, MapPlane plane, MapFit fit);

/// Throws UsageError unless left < right and bottom < top, both apart by what single precision can tell, and
/// all finite.
void check_map_box(const MapBox& box);

/// Cells along a side: at most that many.
inline constexpr std::size_t largest_map = 16384;

/// Floats before the cells of a map that an engine publishes: the first is the largest value of a cell. So
/// many that the cells begin where any device may bind them.
inline constexpr std::size_t map_header = 64;

/// The quantity in each cell of a map.
enum class MapValues {
  count,       ///< bodies in the cell
  normalised,  ///< count / bodies x D, at most 1 (COM4521, the kernel normalise_activity_map)
};
inline constexpr std::array<std::string_view, 2> map_value_names{"count", "normalised"};

/// An activity map: how many bodies lie in each of D x D cells of a box in a plane (COM4521).
struct MapSpec {
  std::size_t size = 0;  ///< D, cells along a side; 0: no map
  MapPlane plane = MapPlane::xy;
  MapBox box;
  MapValues values = MapValues::count;
  friend bool operator==(const MapSpec&, const MapSpec&) = default;
};

/// The rule that puts a body into a cell, in single precision, the same on every engine. A body is inside if
/// left <= x <= right and bottom <= y <= top. Its column is the whole part of (x - left) D / (right - left),
/// at most D - 1: a body on the edge between two cells counts in the upper one, on the last edge in the last
/// cell. Rows in the same way. So the sum over the cells is the number of bodies inside.
struct MapGrid {
  std::size_t size = 0;
  MapAxes axes;
  MapBox box;
  float columns_per_length = 0.0F;
  float rows_per_length = 0.0F;

  /// Throws UsageError for no cells, too many, or a box that is none.
  explicit MapGrid(const MapSpec& spec);
  std::size_t cells() const { return size * size; }
  /// Row x D + column, rows counted from the bottom; `cells()` for bodies outside, or not finite.
  std::size_t cell_of(const Vec3& x) const;
};

/// Counts with OpenMP. `counts`: D x D, row by row from the bottom. Where there are more bodies than cells,
/// each thread counts into a map of its own, kept in `scratch`, and these are added up; otherwise all add to
/// one map atomically. Counts are whole numbers: the result is the same for any number of threads.
void count_bodies(std::span<const Vec3> position, const MapGrid& grid, int threads,
                  std::vector<std::uint32_t>& scratch, std::span<std::uint32_t> counts);

/// Writes the values of the cells as floats and returns the largest. `bodies`: of the dataset, inside or not.
float map_values(std::span<const std::uint32_t> counts, MapValues values, std::size_t size,
                 std::size_t bodies, int threads, std::span<float> cells);

/// Counts maps on the host, and keeps the memory for that.
class MapCounter {
 public:
  /// Writes the map of these bodies, out of so many in all, as an engine publishes it: after its header.
  void write(std::span<const Vec3> position, const MapSpec& spec, std::size_t all_bodies, int threads,
             float* to);

 private:
  std::vector<std::uint32_t> counts_, scratch_;
};

/// The factor of `normalised`: D / bodies; 1 for counts. And the most that a cell says.
float map_factor(MapValues values, std::size_t size, std::size_t bodies);
float map_most(MapValues values);

}  // namespace orrery::sim
