#pragma once

#include <cstdint>
#include <string>

#include "app/gui/widget_map.h"
#include "app/live/physics_override.h"
#include "app/panels/film_choice.h"
#include "app/session/loader.h"

namespace orrery::app {

// What lies over the window's picture, beside the panel, which covers the window up to `left` (window units).
// All need a frame of Dear ImGui under way; `scale` is the interface's.

/// The side of the button below, at scale 1, and how far it reaches with the margins around it.
inline constexpr float panel_button_side = 48.0F, panel_button_reach = 66.0F;

/// The button that opens the panel in a small window, at the upper left. True if it was clicked.
bool draw_panel_button(float scale, WidgetMap& widgets);

/// Instructions where nothing is shown: in the middle of what is free. True if the button was clicked that
/// shows the built-in galaxies.
bool draw_hint(float left, WidgetMap& widgets);

/// Shows what `loader` is loading, unless it is null, and a problem, which a button empties. Nothing if there
/// is neither.
void draw_notice(float left, float scale, const Loader* loader, std::string& problem, WidgetMap& widgets);

/// That a rung's physics is in force instead of the person's, at the top; nothing if none is. True if the
/// button was clicked that gives it back.
bool draw_physics_banner(float left, float top, const PhysicsOverride& loan, WidgetMap& widgets);

/// That time stands still, in large letters at the upper right.
void draw_paused(float left, float scale, WidgetMap& widgets);

/// That W A S D Q E fly, and how fast: `speed` in units of the dataset a second of the clock, in words. At
/// the top, below `top`.
void draw_flying(float left, float top, const std::string& speed, WidgetMap& widgets);

/// That the steps before a picture are repeated: how many of them are made.
void draw_replay(float left, float scale, std::uint64_t step, std::uint64_t target, WidgetMap& widgets);

/// A red dot and how long the film is, in the upper right corner, below the mark of a pause if there is one:
/// a film is being recorded or completed.
void draw_film_mark(float scale, bool paused, const FilmStatus& status, WidgetMap& widgets);

/// All keys and what the mouse does; a click on its cross makes `visible` false.
void draw_help(float scale, bool& visible, WidgetMap& widgets);

}  // namespace orrery::app
