#pragma once

#include "app/gui/widget_map.h"
#include "app/live/demo_run.h"

namespace orrery::app {

/// The closing slide of a demonstration, over the left part of the picture, `width` units wide: what was
/// measured, and what the last step is over the first. `keys`: false in pictures. Needs a frame of Dear ImGui
/// under way.
void draw_closing(const DemoRun& run, float width, bool keys, WidgetMap& widgets);

}  // namespace orrery::app
