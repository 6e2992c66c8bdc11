#pragma once

#include <imgui.h>

// Cards over the view: switches, demonstrations, the body that is looked at.
namespace orrery::app {

/// A card without frame, dark in every theme, whose text is bright. Takes no input. `at` is where its `pivot`
/// (0 to 1 along each side) goes; `padding` is for scale 1; `visibility` 0 to 1. Ends with end_card.
void begin_card(const char* name, ImVec2 at, ImVec2 pivot, ImVec2 padding, float scale,
                float visibility = 1.0F);
void end_card();

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
