#pragma once

#include <imgui.h>

#include <glm/glm.hpp>

#include "app/gui/widget_map.h"
#include "app/live/demo_run.h"
#include "app/live/switching.h"

// What a demonstration draws beside the view, for an audience: charts, plots, and the closing slide. Sizes
// follow the picture (hall_scale), not the scale of the interface. All need a frame of Dear ImGui under way.
namespace orrery::app {

class Session;

/// How much of the left side of a picture of that many units the plot of the present step covers: 0 if it has
/// none.
float demo_covers(const DemoRun& run, glm::vec2 size);

/// The plot beside the view, or the closing slide; nothing unless a step with one is shown. `keys`: false in
/// pictures.
void draw_demo_slide(const DemoRun& run, const Session& session, const Switching& switching, bool keys,
                     WidgetMap& widgets, DemoRun::Clock::time_point now);

/// The colours of cards over the picture, dark in every theme, sRGB.
namespace card_colors {
inline const ImVec4 bright{0.95F, 0.96F, 0.99F, 1.0F};
inline const ImVec4 text{0.84F, 0.87F, 0.92F, 1.0F};
inline const ImVec4 dim{0.68F, 0.72F, 0.79F, 1.0F};
inline const ImVec4 amber{0.98F, 0.75F, 0.25F, 1.0F};
inline const ImVec4 blue{0.45F, 0.66F, 1.0F, 1.0F};
inline const ImVec4 green{0.42F, 0.85F, 0.45F, 1.0F};
}  // namespace card_colors

}  // namespace orrery::app
