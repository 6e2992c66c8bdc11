#pragma once

#include <imgui.h>

#include "app/picture/painter.h"

namespace orrery::app {

/// Writes below each galaxy of a grid what the option `labels` asks for, as far as there is room; the galaxy
/// that is singled out always gets its label. Draws nothing for a single galaxy. `size`: of the whole picture
/// in the draw list's units, its origin is (0, 0); `scale`: the size of text relative to normal.
void draw_labels(ImDrawList& list, ImVec2 size, float scale, const PictureInput& picture);

/// Writes the names of the bodies beside them, where PictureInput::orbits has some. A name that would lie
/// over another one is left out: the first in the order of the bodies stays.
void draw_names(ImDrawList& list, ImVec2 size, float scale, const PictureInput& picture);

}  // namespace orrery::app
