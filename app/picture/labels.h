#pragma once

#include "app/picture/overlay_sheet.h"
#include "app/picture/painter.h"

namespace orrery::app {

/// Writes below each galaxy of a grid what the option `labels` asks for, as far as there is room; the galaxy
/// that is singled out gets its label whatever its size. None lies over what is written already. Draws
/// nothing for a single galaxy.
void draw_labels(const OverlaySheet& sheet, const PictureInput& picture);

/// Writes the names of the bodies beside them, where PictureInput::orbits has some. None lies over another
/// name, a body or the legend: one without room is left out, and the first bodies choose first.
void draw_names(const OverlaySheet& sheet, const PictureInput& picture);

}  // namespace orrery::app
