#pragma once

#include <string>

#include "app/gui/widget_map.h"
#include "app/live/physics_override.h"
#include "app/panels/film_choice.h"
#include "app/session/loader.h"

namespace orrery::app {

// What lies over the window's picture, beside the panel, which covers the window up to `left` (window units).
// All need a frame of Dear ImGui under way; `scale` is the interface's.

/// Instructions where nothing is shown: in the middle of what is free. True if the button was clicked that
/// shows the built-in galaxies.
bool draw_hint(float left, WidgetMap& widgets);

/// Shows what `loader` is loading, unless it is null, and a problem, which a button empties. Nothing if there
/// is neither.
void draw_notice(float left, float scale, const Loader* loader, std::string& problem, WidgetMap& widgets);

/// That a rung's physics is in force instead of the person's, at the top; nothing if none is. True if the
/// button was clicked that gives it back.
bool draw_physics_banner(float left, const PhysicsOverride& loan, WidgetMap& widgets);

/// That time stands still, in large letters at the upper right.
void draw_paused(float left, float scale, WidgetMap& widgets);

/// A red dot and how long the film is, in the upper right corner: a film is being recorded or completed.
void draw_film_mark(float scale, const FilmStatus& status, WidgetMap& widgets);

/// All keys and what the mouse does; a click on its cross makes `visible` false.
void draw_help(float scale, bool& visible, WidgetMap& widgets);

}  // namespace orrery::app
