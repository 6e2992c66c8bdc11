#pragma once

#include <cstdint>
#include <string>

#include "app/gui/named_widgets.h"
#include "app/panels/panel_state.h"
#include "app/session/loader.h"

namespace orrery::app {

class PhysicsOverride;

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

/// Draws a banner at the top while a rung's physics replaces the user's; nothing otherwise. True if its
/// button was clicked, which restores the user's physics.
bool draw_physics_banner(float left, float top, const PhysicsOverride& loan, WidgetMap& widgets);

/// Draws PAUSED in large letters at the upper right.
void draw_paused(float left, float scale, WidgetMap& widgets);

/// Draws the keys W A S D Q E of flying and the speed, in length units of the dataset per second of the
/// clock, at the top, below `top`.
void draw_flying(float left, float top, const std::string& speed, WidgetMap& widgets);

/// Draws how many of the steps before a saved picture have been repeated.
void draw_replay(float left, float scale, std::uint64_t step, std::uint64_t target, WidgetMap& widgets);

/// A red dot and how long the film is, in the upper right corner, below the mark of a pause if there is one:
/// a film is being recorded or completed.
void draw_film_mark(float scale, bool paused, const FilmStatus& status, WidgetMap& widgets);

/// All keys and what the mouse does; a click on its cross makes `visible` false.
void draw_help(float scale, bool& visible, WidgetMap& widgets);

}  // namespace orrery::app
