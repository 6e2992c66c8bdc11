#include "render/color_mode.h"

#include <array>

#include "render/color_modes/color_modes.h"

namespace orrery::render {

std::span<const ColorMode* const> color_modes() {
  static const std::array<const ColorMode*, 6> modes{
      &color_mode_component, &color_mode_speed, &color_mode_line_of_sight,
      &color_mode_radius,    &color_mode_mass,  &color_mode_galaxy,
  };
  return modes;
}

const ColorMode* find_color_mode(std::string_view name) {
  for (const ColorMode* mode : color_modes())
    if (mode->name == name) return mode;
  return nullptr;
}

}  // namespace orrery::render
