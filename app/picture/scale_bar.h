#pragma once

#include <string>

#include "app/picture/overlay_sheet.h"
#include "render/picture/camera.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

/// A round length as it is seen at the distance of the camera's target, across the line of sight.
struct ScaleBar {
  double length = 0.0;  ///< length in the scene's units
  double pixels = 0.0;
  std::string text;  ///< "5 kpc"
};

/// The longest round length of at most that many pixels, in a picture that is `height` pixels high.
ScaleBar scale_bar(const render::Camera& camera, double height, double most_pixels,
                   const sim::PhysicalUnits& units);

/// Draws the bar with its lower left corner at `corner`, and its text above. Returns the height of both.
float draw_scale_bar(const OverlaySheet& sheet, ImVec2 corner, const ScaleBar& bar);

}  // namespace orrery::app
