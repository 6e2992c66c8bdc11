#pragma once

#include <imgui.h>

#include "lab/plots/figure.h"

namespace orrery::app {

/// Draws a panel's lines with axes and a legend where the next widget would stand: curves where they are
/// joined, else dots. Colours are of the interface. Where there are no points it says so. Panels with bars or
/// maps are not for it.
void draw_curves(const plots::Panel& panel, ImVec2 size);

}  // namespace orrery::app
