#include "render/color_modes/color_mode.h"

#include "color_modes.h"

namespace orrery::render {

std::span<const ColorMode* const> color_modes() { return registry::color_modes; }

const ColorMode* find_color_mode(std::string_view name) {
  for (const ColorMode* mode : color_modes())
    if (mode->name == name) return mode;
  return nullptr;
}

}  // namespace orrery::render
