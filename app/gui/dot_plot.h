#pragma once

#include <imgui.h>

#include <string>

#include "app/gui/dot_names.h"
#include "lab/plots/figure.h"

namespace orrery::app {

/// Draws the points of a panel's lines with axes, their names, and a legend, where the next widget would
/// stand. Returns the names of the points under the cursor with their values; empty if none is. Colours are
/// of the interface. Panels with bars or maps are not for it.
std::string draw_dots(const plots::Panel& panel, ImVec2 size, DotNames names = DotNames::that_fit);

}  // namespace orrery::app
