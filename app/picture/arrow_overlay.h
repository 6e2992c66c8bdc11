#pragma once

#include <imgui.h>

#include "app/picture/overlay_sheet.h"
#include "app/picture/painter.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

/// Geometry of an arrow of the picture, in pixels.
struct ArrowLook {
  ImU32 color;
  ImU32 halo;   ///< a rim that keeps it visible on a bright ground
  float width;  ///< line width
  float head;   ///< length of the head
};

/// A line with a head at its end. One shorter than its head becomes a small head, or a dot.
void draw_arrow_between(ImDrawList& list, ImVec2 from, ImVec2 to, const ArrowLook& look);

/// The velocities of bodies, where PictureInput::orbits has some.
void draw_velocity_arrows(const OverlaySheet& sheet, const PictureInput& picture);

/// Draws the scale of the arrows in a view of the given height in pixels, with its lower left corner at
/// `corner`. Returns how high it is; 0: nothing is drawn.
float draw_arrow_key(const OverlaySheet& sheet, ImVec2 corner, const PictureInput& picture,
                     const sim::PhysicalUnits& units, double view_height);

}  // namespace orrery::app
