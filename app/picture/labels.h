#pragma once

#include "app/picture/overlay_sheet.h"
#include "app/picture/painter.h"

namespace orrery::app {

/// Writes below each galaxy of a grid what the option `labels` asks for, as far as there is room; the galaxy
/// that is singled out gets its label whatever its size. None lies over what is written already. Draws
/// nothing for a single galaxy.
void draw_labels(const OverlaySheet& sheet, const PictureInput& picture);

/// Writes the names of the bodies beside them, where PictureInput::orbits has some. A name that would lie
/// over another one, or over the legend, is left out: the first in the order of the bodies stays.
void draw_names(const OverlaySheet& sheet, const PictureInput& picture);

}  // namespace orrery::app
