#pragma once

#include <imgui.h>

#include <glm/glm.hpp>

#include "app/gui/named_widgets.h"
#include "app/live/demo_run.h"

// What a demonstration draws beside the view, for an audience: charts, plots, and the closing slide. Sizes
// follow the picture (hall_scale), not the scale of the interface. All need a frame of Dear ImGui under way.
namespace orrery::app {

class Session;

/// Width of the left part of a picture of that many units that the plot of the present step covers: 0 if it
/// has none.
float demo_covers(const DemoRun& run, glm::vec2 size);

/// The plot beside the view, or the closing slide; nothing unless a step with one is shown. `keys`: false in
/// pictures.
void draw_demo_slide(const DemoRun& run, const Session& session, bool keys, WidgetMap& widgets,
                     DemoRun::Clock::time_point now);

}  // namespace orrery::app
