#include "app/picture/tiled_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/picture/picture_views.h"
#include "render/context/target.h"
#include "render/error.h"
#include "render/picture/picture_tile.h"
#include "sim/core/free_memory.h"

namespace orrery::app {

namespace {

/// Larger pictures are drawn in tiles, even where the driver could draw them at once: their light alone takes
/// 16 bytes per pixel, and the levels of wide images as much again.
constexpr std::size_t most_pixels_at_once = 7680UL * 4320UL;
constexpr int tile_edge = 4096;
/// Tiles of light are whole rows.
constexpr glm::ivec2 light_tile{4096, 1024};

std::size_t pixels_of(glm::ivec2 size) {
  return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y);
}

double gibibytes(double bytes) { return bytes / (1024.0 * 1024.0 * 1024.0); }

/// Into its position; both have their top row first.
void paste(const render::Image& part, const render::PictureTile& tile, render::Image& picture) {
  const std::size_t row = static_cast<std::size_t>(part.width) * 4;
  const int top = picture.height - tile.corner.y - tile.size.y;
  for (int y = 0; y < part.height; ++y) {
    const std::size_t to = (static_cast<std::size_t>(top + y) * static_cast<std::size_t>(picture.width) +
                            static_cast<std::size_t>(tile.corner.x)) *
                           4;
    std::copy_n(part.rgba.begin() + static_cast<std::ptrdiff_t>(row) * y, row,
                picture.rgba.begin() + static_cast<std::ptrdiff_t>(to));
  }
}

/// The light of a tile, upside down and without its fourth value, into rows of a picture that many pixels
/// wide.
void paste_light(const std::vector<float>& light, const render::PictureTile& tile, std::size_t width,
                 std::vector<float>& rows) {
  const auto columns = static_cast<std::size_t>(tile.size.x);
  const auto height = static_cast<std::size_t>(tile.size.y);
  for (std::size_t y = 0; y < height; ++y) {
    const float* from = light.data() + (height - 1 - y) * columns * 4;
    float* to = rows.data() + (y * width + static_cast<std::size_t>(tile.corner.x)) * 3;
    for (std::size_t x = 0; x < columns; ++x) std::copy_n(from + 4 * x, 3, to + 3 * x);
  }
}

/// Covers the gaps between several views.
void cover(render::Image& picture, const PictureInput& input) {
  if (input.transparent) return;
  const glm::vec4 ground = 255.0F * ground_of(input);
  for (std::size_t i = 0; i < picture.rgba.size(); ++i)
    picture.rgba[i] = static_cast<std::uint8_t>(ground[static_cast<glm::length_t>(i % 4)]);
}

/// A tile of a view as one of the whole picture.
render::PictureTile in_whole(render::PictureTile tile, const PictureView& view, glm::ivec2 size) {
  tile.corner += lower_left(view, size);
  return tile;
}

/// True if exposure or glow need it.
bool weigh_views(Painter& painter, const PictureInput& input, const std::vector<PictureView>& views,
                 glm::ivec2 tile) {
  if (!painter.begin_tiles(input, glm::ivec2(views.front().size))) return false;
  for (const auto& view : views)
    for (const auto& part : render::tiles_of(glm::ivec2(view.size), tile))
      painter.weigh_tile(input_of(input, view), glm::ivec2(view.size), part);
  return true;
}

}  // namespace

glm::ivec2 suitable_tile(glm::ivec2 picture) {
  const int limit = render::largest_framebuffer_side();
  if (std::max(picture.x, picture.y) <= limit && pixels_of(picture) <= most_pixels_at_once) return {0, 0};
  return glm::ivec2(std::min(tile_edge, limit));
}

void check_picture_memory(glm::ivec2 size, std::size_t bytes_per_pixel) {
  const double needed = static_cast<double>(pixels_of(size)) * static_cast<double>(bytes_per_pixel);
  const double free = sim::free_memory();
  if (needed > free)
    throw render::Error(
        fmt::format("a picture of {} x {} pixels takes {:.1f} GiB of memory, and {:.1f} GiB are "
                    "free: choose a smaller size",
                    size.x, size.y, gibibytes(needed), gibibytes(free)));
}

render::Image draw_in_tiles(Painter& painter, const PictureInput& input, OverlayPainter* overlay,
                            glm::ivec2 size, glm::ivec2 tile) {
  check_picture_memory(size, 4);
  render::Image picture{size.x, size.y, std::vector<std::uint8_t>(pixels_of(size) * 4)};
  const auto views = views_of(input, size);
  if (views.size() > 1) cover(picture, input);
  const auto weighed = weigh_views(painter, input, views, tile);
  for (const auto& view : views) {
    const auto from = input_of(input, view);
    const glm::ivec2 pixels(view.size);
    const auto tiles = render::tiles_of(pixels, tile);
    if (weighed && views.size() > 1) {
      painter.begin_glow(pixels);
      for (const auto& part : tiles) painter.weigh_glow(from, pixels, part);
    }
    for (const auto& part : tiles) {
      const render::PictureTarget target(part.size);
      painter.draw_tile(from, pixels, part, target);
      const auto place = in_whole(part, view, size);
      if (overlay != nullptr) overlay->draw_tile(place, target.framebuffer());
      paste(target.read(), place, picture);
    }
  }
  return picture;
}

void draw_light_rows(Painter& painter, const PictureInput& input, glm::ivec2 size, const LightRows& take) {
  const int limit = render::largest_framebuffer_side();
  const auto width = static_cast<std::size_t>(size.x);
  std::vector<float> rows;
  for (const auto& tile : render::tiles_of(size, glm::min(light_tile, glm::ivec2(limit)))) {
    rows.resize(width * static_cast<std::size_t>(tile.size.y) * 3);
    paste_light(painter.light_of_tile(input, size, tile).read(), tile, width, rows);
    if (tile.corner.x + tile.size.x == size.x) take(rows, tile.size.y);
  }
}

}  // namespace orrery::app
