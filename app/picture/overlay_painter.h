#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "app/picture/picture_overlay.h"
#include "render/picture/picture_tile.h"

struct ImGuiContext;

namespace orrery::app {

/// Draws texts and lines over pictures: those of the window and those without one, in the same way. Letters
/// are made for the size of the picture, so they are sharp at any. Keeps them from picture to picture and
/// makes them anew when their size changes. Has a context of Dear ImGui of its own, and needs a current one
/// of OpenGL for its whole life.
class OverlayPainter {
 public:
  OverlayPainter();
  OverlayPainter(const OverlayPainter&) = delete;
  OverlayPainter& operator=(const OverlayPainter&) = delete;
  ~OverlayPainter();

  /// Over the picture of `size` pixels in `framebuffer` (0: the window), of which `left` pixels are covered
  /// from the left; texts are `text_scale` times as large as the options and the picture's size make them.
  /// The context of Dear ImGui that was current stays so.
  void draw(const PictureInput& picture, const LegendInfo& info, unsigned framebuffer, glm::ivec2 size,
            float left = 0.0F, float text_scale = 1.0F);

  /// For pictures in tiles, in two steps: `write` lays out the texts over a picture of `size` pixels,
  /// `draw_tile` draws one tile of them into a framebuffer of the tile's size.
  void write(const PictureInput& picture, const LegendInfo& info, glm::ivec2 size, float left = 0.0F,
             float text_scale = 1.0F);
  void draw_tile(const render::PictureTile& tile, unsigned framebuffer);

  /// The areas of the last picture that texts of the legend, scale bar, arrows and names cover.
  const std::vector<OverlayBox>& taken() const { return taken_; }
  /// The areas that stay while bodies and camera move: texts and scale bar at the foot.
  const std::vector<OverlayBox>& legend() const { return legend_; }

 private:
  void use_letters(float pixels);

  ImGuiContext* context_;
  glm::ivec2 size_{0, 0};
  float loaded_ = 0.0F;  ///< the size of the letters that there are
  float wanted_ = 0.0F;  ///< font size that the last picture asked for
  std::vector<OverlayBox> taken_, legend_;
};

}  // namespace orrery::app
