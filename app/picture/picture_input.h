#pragma once

#include "app/picture/look.h"
#include "app/picture/scene_summary.h"
#include "render/bodies/body_buffers.h"
#include "render/map/map_drawer.h"
#include "render/picture/camera.h"

namespace orrery::app {

class OrbitTrails;

/// Everything that a picture of the bodies depends on.
struct PictureInput {
  const render::BodyBuffers& buffers;
  int slot;
  render::Camera camera;
  const Look& look;
  const SceneSummary& summary;
  /// Offset of the camera's target to the right of the picture's centre, as a fraction of half the width,
  /// because the panel covers the left.
  double shift = 0.0;
  /// For pictures that must have the same bits every time: draws with the rasterizer, whatever the option
  /// splatting says.
  bool repeatable = false;
  const OrbitTrails* orbits = nullptr;  ///< trails, ellipses and names; none: they are not drawn
  render::ShownMap map = {};            ///< the activity map of the same step, if there is one
  /// Seconds since the frame before, of a picture that is one of a film: its exposure follows that of the
  /// frames before. 0: it stands alone.
  double film_seconds = 0.0;
  bool transparent = false;  ///< as in render::ToneStyle
  /// As in render::BodyStyle: the picture moves. Neither of several views nor of fewer than 1000 bodies.
  bool rough = false;
};

}  // namespace orrery::app
