#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "render/color_maps/color_map.h"
#include "render/picture/image.h"

namespace orrery::render {

/// Conversion of map values to colours.
struct MapLook {
  const ColorMap* colors = nullptr;  ///< nullptr: the first of the list
  bool logarithmic = false;
  bool reversed = false;
  /// The value that has the last colour; 0: the largest of the picture.
  float highest = 0.0F;
  /// The least value that is not 0: that of one body. Of logarithmic colours.
  float unit = 1.0F;
};

/// `count` colours of the map from its low to its high end, in linear light. Colours of a map with a bright
/// low end fade to black there: an empty cell is dark.
std::vector<glm::vec3> map_shades(const MapLook& look, std::size_t count);

/// The place of a value in the colour map, 0..1: value / highest, or log(1 + value / unit) / log(1 + highest
/// / unit), in which 0 has a place too. Not clamped above; 0 where `highest` is 0.
float map_place(float value, float highest, const MapLook& look);

/// A square picture of `pixels` x `pixels` of a map of `size` x `size` values, given row by row from the
/// bottom. More pixels than cells show each cell as a square; fewer show means of cells. Throws Error if a
/// number is 0 or the map has another length.
Image map_picture(std::span<const float> cells, std::size_t size, std::size_t pixels, const MapLook& look);

}  // namespace orrery::render
