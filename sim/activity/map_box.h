#pragma once

#include <array>
#include <span>
#include <string_view>

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

}  // namespace orrery::sim
