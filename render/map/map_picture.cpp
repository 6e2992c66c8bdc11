#include "render/map/map_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "render/color_maps/color_space.h"
#include "render/error.h"

namespace orrery::render {
namespace {

constexpr std::size_t shades = 4096;
constexpr std::size_t channels = 4;

using Pixel = std::array<std::uint8_t, channels>;

/// The same, encoded for the display.
std::vector<Pixel> encoded_shades(const MapLook& look) {
  std::vector<Pixel> all;
  for (const auto& linear : map_shades(look, shades)) {
    const glm::vec3 color = glm::round(255.0F * srgb_encode(linear));
    all.push_back({static_cast<std::uint8_t>(color.r), static_cast<std::uint8_t>(color.g),
                   static_cast<std::uint8_t>(color.b), 255});
  }
  return all;
}

/// The cells [first, last) that a pixel stands for: one, or those that it covers.
struct Span {
  std::size_t first, last;
};
Span cells_of(std::size_t pixel, std::size_t pixels, std::size_t size) {
  if (pixels >= size) {
    const std::size_t cell = (2 * pixel + 1) * size / (2 * pixels);
    return {cell, cell + 1};
  }
  return {pixel * size / pixels, ((pixel + 1) * size + pixels - 1) / pixels};
}

float mean(std::span<const float> cells, std::size_t size, Span rows, Span columns) {
  double sum = 0.0;
  for (std::size_t row = rows.first; row < rows.last; ++row)
    for (std::size_t column = columns.first; column < columns.last; ++column)
      sum += cells[row * size + column];
  return static_cast<float>(sum /
                            static_cast<double>((rows.last - rows.first) * (columns.last - columns.first)));
}

/// One value a pixel, top row first.
std::vector<float> values_of_pixels(std::span<const float> cells, std::size_t size, std::size_t pixels) {
  std::vector<float> values(pixels * pixels);
  for (std::size_t y = 0; y < pixels; ++y) {
    const Span rows = cells_of(pixels - 1 - y, pixels, size);
    for (std::size_t x = 0; x < pixels; ++x)
      values[y * pixels + x] = mean(cells, size, rows, cells_of(x, pixels, size));
  }
  return values;
}

/// Up to here colours of a bright low end fade in.
constexpr float faded = 0.3F;
/// Brighter than this the low end is taken to be bright.
constexpr float dark = 0.012F;

}  // namespace

std::vector<glm::vec3> map_shades(const MapLook& look, std::size_t count) {
  const ColorMap& map = look.colors != nullptr ? *look.colors : *color_maps().front();
  const bool bright = luminance(map.evaluate(look.reversed ? 1.0F : 0.0F)) > dark;
  std::vector<glm::vec3> all(count);
  for (std::size_t k = 0; k < count; ++k) {
    const float t = static_cast<float>(k) / static_cast<float>(count - 1);
    all[k] = map.evaluate(look.reversed ? 1.0F - t : t);
    if (bright) all[k] *= glm::smoothstep(0.0F, faded, t);
  }
  return all;
}

float map_place(float value, float highest, const MapLook& look) {
  if (!(highest > 0.0F)) return 0.0F;
  return look.logarithmic ? std::log1p(value / look.unit) / std::log1p(highest / look.unit) : value / highest;
}

Image map_picture(std::span<const float> cells, std::size_t size, std::size_t pixels, const MapLook& look) {
  if (size == 0 || pixels == 0 || cells.size() != size * size)
    throw Error(fmt::format("no picture of {0} values as a map of {1} x {1} cells in {2} x {2} pixels",
                            cells.size(), size, pixels));
  const auto values = values_of_pixels(cells, size, pixels);
  const float highest = look.highest > 0.0F ? look.highest : *std::ranges::max_element(values);
  const auto colors = encoded_shades(look);
  Image image{static_cast<int>(pixels), static_cast<int>(pixels), {}};
  image.rgba.resize(channels * values.size());
  for (std::size_t k = 0; k < values.size(); ++k) {
    const float place = std::clamp(map_place(values[k], highest, look), 0.0F, 1.0F);
    const auto shade = static_cast<std::size_t>(std::lround(place * static_cast<float>(shades - 1)));
    std::ranges::copy(colors[shade], image.rgba.begin() + static_cast<std::ptrdiff_t>(channels * k));
  }
  return image;
}

}  // namespace orrery::render
