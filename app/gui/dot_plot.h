#pragma once

#include <imgui.h>

#include <string>

#include "lab/plots/figure.h"

namespace orrery::app {

/// Draws the points of a panel's lines with axes, names where there is room, and a legend, where the next
/// widget would stand. Returns the name of the point under the cursor with its values; empty if none is.
/// Colours are of the interface. Panels with bars or maps are not for it.
std::string draw_dots(const plots::Panel& panel, ImVec2 size);

}  // namespace orrery::app
