#pragma once

#include "app/picture/overlay_sheet.h"
#include "app/picture/painter.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

/// The three directions as arrows that are seen as the camera sees them, in a square with its lower left
/// corner at `corner`. Returns how high it is.
float draw_axis_arrows(const OverlaySheet& sheet, ImVec2 corner, const render::Camera& camera);

/// A box around the luminous bodies, with a grid on its far sides. For one galaxy.
void draw_axis_box(const OverlaySheet& sheet, const PictureInput& picture, const sim::PhysicalUnits& units);
/// Draws ticks and numbers along three edges of the axis box that nothing hides. Leaves out numbers where
/// something is written already.
void draw_axis_numbers(const OverlaySheet& sheet, const PictureInput& picture,
                       const sim::PhysicalUnits& units);

}  // namespace orrery::app
