#pragma once

#include <imgui.h>

#include <string>

// Cards over the view: switches, demonstrations, the body that is looked at.
namespace orrery::sim {
enum class Verdict;
}

namespace orrery::app {

/// A card without frame, dark in every theme, whose text is bright. Takes no input. `at` is where its `pivot`
/// (0 to 1 along each side) goes; `padding` is for scale 1; `visibility` 0 to 1. Ends with end_card.
void begin_card(const char* name, ImVec2 at, ImVec2 pivot, ImVec2 padding, float scale,
                float visibility = 1.0F);
void end_card();

/// Flags of a window that is as large as what it holds, has no frame and is not remembered.
inline constexpr ImGuiWindowFlags bare_window =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings;

/// The colours of cards over the picture, dark in every theme, sRGB.
namespace card_colors {
inline const ImVec4 bright{0.95F, 0.96F, 0.99F, 1.0F};
inline const ImVec4 text{0.84F, 0.87F, 0.92F, 1.0F};
inline const ImVec4 dim{0.68F, 0.72F, 0.79F, 1.0F};
inline const ImVec4 label{0.62F, 0.66F, 0.74F, 1.0F};
inline const ImVec4 amber{0.98F, 0.75F, 0.25F, 1.0F};
inline const ImVec4 blue{0.45F, 0.66F, 1.0F, 1.0F};
inline const ImVec4 green{0.42F, 0.85F, 0.45F, 1.0F};
}  // namespace card_colors

/// Colours of the panel and of everything drawn over the picture; the picture of the bodies is unaffected.
enum class Theme { dark, light };

/// "dark", "light".
const char* name_of(Theme theme);
/// Dark for any other name.
Theme theme_of(const std::string& name);

/// The thing that presses widgets: a finger needs larger ones than a mouse.
enum class Pointing { mouse, finger };

/// Colours and sizes of the present context; `scale` enlarges all sizes.
void apply_theme(Theme theme, float scale, Pointing pointing = Pointing::mouse);
/// True if the present context has sizes for fingers.
bool is_for_fingers();

// Colours with a meaning, readable on the present context's ground.

/// Right, conserved, done.
ImVec4 good_color();
/// Look twice; paused; busy.
ImVec4 doubtful_color();
/// Wrong, failed.
ImVec4 wrong_color();
/// Green, amber, red.
ImVec4 color_of(sim::Verdict verdict);
/// The colour of texts.
inline const ImVec4& text_color() { return ImGui::GetStyleColorVec4(ImGuiCol_Text); }
inline const ImVec4& dim_color() { return ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled); }
/// Keys and what is chosen.
ImVec4 accent_color();
/// Bars of measured rates, and that of what runs now.
ImU32 bar_color();
ImU32 running_bar_color();
/// The colour of plots without data.
ImU32 empty_color();
/// Lines on that.
ImU32 hatch_color();
/// An outline that is visible on any of these.
ImU32 outline_color();

}  // namespace orrery::app
