#pragma once

#include "app/gui/named_widgets.h"
#include "app/session/session.h"

namespace orrery::app {

/// The contents of a file, in a card over the picture right of `left`, while it waits for its first step:
/// bodies, components, units, and whether these can be right. Nothing for built-in galaxies and films. Needs
/// a frame of Dear ImGui; `scale` is the interface's. True if the person asked for the list of units.
bool draw_file_facts(const Session& session, float left, float scale, WidgetMap& widgets);

}  // namespace orrery::app
