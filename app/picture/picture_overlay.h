#pragma once

#include "app/picture/legend.h"
#include "app/picture/overlay_sheet.h"
#include "app/picture/painter.h"

namespace orrery::app {

/// Draws all that the options ask for over a picture: title, time, scale bar, axes, colours, names, labels of
/// galaxies. They keep to the edges and out of each other's way. Returns the boxes of what stays where it is
/// while bodies and camera move: texts and scale bar at the foot.
std::vector<OverlayBox> draw_picture_overlay(const OverlaySheet& sheet, const PictureInput& picture,
                                             const LegendInfo& info);

}  // namespace orrery::app
