#pragma once

#include "app/gui/widget_map.h"
#include "app/live/demo_run.h"

namespace orrery::app {

/// The caption of a demonstration's step, large at the foot of the view, with how far it is and the keys.
/// `left`: how far the panel reaches; `keys`: false in pictures. Nothing unless a step is shown. Needs a
/// frame of Dear ImGui under way.
void draw_demo(float left, float scale, const DemoRun& run, bool keys, WidgetMap& widgets,
               DemoRun::Clock::time_point now = DemoRun::Clock::now());

}  // namespace orrery::app
