#pragma once

#include "render/color_mode.h"

/// One declaration per file of this folder; color_mode.cpp lists them in the order of the menu.
namespace orrery::render {

extern const ColorMode color_mode_component;
extern const ColorMode color_mode_speed;
extern const ColorMode color_mode_line_of_sight;
extern const ColorMode color_mode_radius;
extern const ColorMode color_mode_mass;
extern const ColorMode color_mode_galaxy;

}  // namespace orrery::render
