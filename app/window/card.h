#pragma once

#include <imgui.h>

// Cards over the view: switches, demonstrations, the body that is looked at.
namespace orrery::app {

/// A card without frame, dark in every theme, whose text is bright. Takes no input. `at` is where its `pivot`
/// (0 to 1 along each side) goes; `padding` is for scale 1; `visibility` 0 to 1. Ends with end_card.
void begin_card(const char* name, ImVec2 at, ImVec2 pivot, ImVec2 padding, float scale,
                float visibility = 1.0F);
void end_card();

}  // namespace orrery::app
