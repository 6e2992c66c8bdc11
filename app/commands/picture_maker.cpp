#include "app/commands/picture_maker.h"

#include <algorithm>
#include <cmath>

#include <chrono>
#include <optional>

#include "render/context/gl.h"

namespace orrery::app {

namespace {

/// The largest value of a map. CUDA may have written it, so OpenGL reads it back.
std::optional<float> largest_of(render::MapBuffers& maps) {
  if (!maps.largest()) maps.ask_largest(0);
  render::wait_until_drawn(std::chrono::seconds(10));
  return maps.largest();
}

}  // namespace

LegendInfo PictureMaker::legend(const RenderJob& job, const PictureInput& picture, RenderStage& stage) const {
  LegendInfo info{job.scene.title, job.state.time, job.state.step, job.scene.units};
  if (job.snapshots > 0)
    info.snapshot =
        1 + std::min<std::uint64_t>(std::llround(static_cast<double>(job.state.step) * job.snapshots_a_step),
                                    job.snapshots - 1);
  info.problem = job.state.force_problem;
  if (picture.map.buffers != nullptr) info.map_largest = largest_of(*stage.maps());
  return info;
}

const render::PictureTarget& PictureMaker::draw(const RenderJob& job, RenderStage& stage,
                                                double film_seconds) {
  auto picture = stage.picture();
  picture.film_seconds = film_seconds;
  paint(picture);
  overlay_.draw(picture, legend(job, picture, stage), target_->framebuffer(), size_);
  return *target_;
}

void PictureMaker::paint(const PictureInput& picture) {
  if (target_ == nullptr) target_ = std::make_unique<render::PictureTarget>(size_);
  painter_.draw(picture, *target_);
}

render::Image PictureMaker::picture(const RenderJob& job, RenderStage& stage, bool transparent) {
  const auto tile = suitable_tile(size_);
  if (tile.x == 0 && !transparent) return draw(job, stage).read();
  auto picture = stage.picture();
  picture.transparent = transparent;
  if (tile.x == 0) {
    paint(picture);
    return target_->read();
  }
  if (!transparent) overlay_.write(picture, legend(job, picture, stage), size_);
  return draw_in_tiles(painter_, picture, transparent ? nullptr : &overlay_, size_, tile);
}

void PictureMaker::light(RenderStage& stage, const LightRows& take) {
  draw_light_rows(painter_, stage.picture(), size_, take);
}

}  // namespace orrery::app
