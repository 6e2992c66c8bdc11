#pragma once

#include <imgui.h>

#include <string>

namespace orrery::app {

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
