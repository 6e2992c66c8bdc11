#include "app/commands/picture_maker.h"

#include <imgui.h>

#include <chrono>
#include <optional>

#include "app/picture/labels.h"
#include "app/picture/legend.h"
#include "render/gl.h"

namespace orrery::app {

namespace {

constexpr float reference_height = 720.0F;

/// Of a map that CUDA wrote, OpenGL has to be asked.
std::optional<float> largest_of(render::MapBuffers& maps) {
  if (!maps.largest()) maps.ask_largest(0);
  render::wait_until_drawn(std::chrono::seconds(10));
  return maps.largest();
}

}  // namespace

PictureMaker::PictureMaker(PictureSize size)
    : target_({size.width, size.height}), gui_(static_cast<float>(size.height) / reference_height) {}

const render::PictureTarget& PictureMaker::draw(const RenderJob& job, RenderStage& stage,
                                                double film_seconds) {
  auto picture = stage.picture();
  picture.film_seconds = film_seconds;
  painter_.draw(picture, target_.framebuffer(), target_.size());
  LegendInfo info{job.scene.title, job.state.time, job.state.step};
  if (picture.map.buffers != nullptr) info.map_largest = largest_of(*stage.maps());
  draw_texts(job, picture, info);
  return target_;
}

void PictureMaker::draw_texts(const RenderJob& job, const PictureInput& picture, const LegendInfo& info) {
  const auto size = target_.size();
  const ImVec2 extent{static_cast<float>(size.x), static_cast<float>(size.y)};
  gui_.frame(glm::vec2(size), size, [&] {
    auto& list = *ImGui::GetBackgroundDrawList();
    draw_labels(list, extent, gui_.scale(), picture);
    draw_names(list, extent, gui_.scale(), picture);
    if (picture.configuration.boolean("legend"))
      draw_legend(list, {0, 0}, extent, gui_.scale(), info, job.summary, picture.configuration);
  });
  gui_.draw(target_.framebuffer());
}

}  // namespace orrery::app
