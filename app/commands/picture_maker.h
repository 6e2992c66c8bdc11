#pragma once

#include <memory>

#include "app/commands/render_job.h"
#include "app/commands/render_stage.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/picture/tiled_picture.h"
#include "render/context/target.h"
#include "render/picture/image.h"

namespace orrery::app {

/// Makes pictures without a window, with labels and legend, all of one size. Needs a current context.
class PictureMaker {
 public:
  explicit PictureMaker(PictureSize size) : size_(size.width, size.height) {}

  /// Draws what was published last. `film_seconds` as in PictureInput. Throws render::Error where the driver
  /// cannot draw this size at once.
  const render::PictureTarget& draw(const RenderJob& job, RenderStage& stage, double film_seconds = 0.0);
  /// The picture, of any size. `transparent`: light alone, without a background and texts.
  render::Image picture(const RenderJob& job, RenderStage& stage, bool transparent = false);
  /// Hands over the picture's light before exposure, glow and tone curve, row by row from the top.
  void light(RenderStage& stage, const LightRows& take);

 private:
  void paint(const PictureInput& picture);
  LegendInfo legend(const RenderJob& job, const PictureInput& picture, RenderStage& stage) const;

  glm::ivec2 size_;
  std::unique_ptr<render::PictureTarget> target_;  ///< none until a picture is drawn at once
  Painter painter_;
  OverlayPainter overlay_;
};

}  // namespace orrery::app
