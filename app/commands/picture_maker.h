#pragma once

#include "app/commands/render_job.h"
#include "app/commands/render_stage.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "render/image.h"
#include "render/target.h"

namespace orrery::app {

/// Makes pictures without a window, with labels and legend, all of one size. Needs a current context.
class PictureMaker {
 public:
  explicit PictureMaker(PictureSize size);

  /// Draws what was published last. `film_seconds` as in PictureInput.
  const render::PictureTarget& draw(const RenderJob& job, RenderStage& stage, double film_seconds = 0.0);
  /// The same, read.
  render::Image picture(const RenderJob& job, RenderStage& stage) { return draw(job, stage).read(); }

 private:
  render::PictureTarget target_;
  Painter painter_;
  OverlayPainter overlay_;
};

}  // namespace orrery::app
