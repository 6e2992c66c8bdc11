#include "app/commands/picture_maker.h"

#include <algorithm>
#include <cmath>

#include <chrono>
#include <optional>

#include "render/gl.h"

namespace orrery::app {

namespace {

/// Of a map that CUDA wrote, OpenGL has to be asked.
std::optional<float> largest_of(render::MapBuffers& maps) {
  if (!maps.largest()) maps.ask_largest(0);
  render::wait_until_drawn(std::chrono::seconds(10));
  return maps.largest();
}

}  // namespace

PictureMaker::PictureMaker(PictureSize size) : target_({size.width, size.height}) {}

const render::PictureTarget& PictureMaker::draw(const RenderJob& job, RenderStage& stage,
                                                double film_seconds) {
  auto picture = stage.picture();
  picture.film_seconds = film_seconds;
  painter_.draw(picture, target_.framebuffer(), target_.size());
  LegendInfo info{job.scene.title, job.state.time, job.state.step, job.scene.units};
  if (job.snapshots > 0)
    info.snapshot =
        1 + std::min<std::uint64_t>(std::llround(static_cast<double>(job.state.step) * job.snapshots_a_step),
                                    job.snapshots - 1);
  if (picture.map.buffers != nullptr) info.map_largest = largest_of(*stage.maps());
  overlay_.draw(picture, info, target_.framebuffer(), target_.size());
  return target_;
}

}  // namespace orrery::app
