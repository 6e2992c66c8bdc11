#pragma once

#include "render/color_map.h"

/// One declaration per file of this folder; color_map.cpp lists them in the order of the menu.
namespace orrery::render {

extern const ColorMap color_map_dusk;
extern const ColorMap color_map_glacier;
extern const ColorMap color_map_cubehelix;
extern const ColorMap color_map_gray;
extern const ColorMap color_map_doppler;
extern const ColorMap color_map_blackbody;
extern const ColorMap color_map_hue;

}  // namespace orrery::render
