#include "app/serve/planar_picture.h"

#include <algorithm>

namespace orrery::app::serve {

namespace {

// BT.709: Kr = 0.2126, Kb = 0.0722, scaled to 219 (luma) and 224 (colour) levels, in 1/65536.
constexpr int luma_of_red = 11966, luma_of_green = 40254, luma_of_blue = 4064;
constexpr int blue_of_red = -6596, blue_of_green = -22189, blue_of_blue = 28784;
constexpr int red_of_red = 28784, red_of_green = -26145, red_of_blue = -2639;
constexpr int half = 32768;

void luma_row(const std::uint8_t* from, int width, std::uint8_t* to) {
  for (int x = 0; x < width; ++x) {
    const int red = from[4 * x], green = from[4 * x + 1], blue = from[4 * x + 2];
    to[x] = static_cast<std::uint8_t>(
        (luma_of_red * red + luma_of_green * green + luma_of_blue * blue + half + (16 << 16)) >> 16);
  }
}

/// Means of four pixels.
void color_row(const std::uint8_t* upper, const std::uint8_t* lower, int width, std::uint8_t* to_blue,
               std::uint8_t* to_red) {
  const auto write = [&](int x, int left, int right) {
    const auto sum = [&](int channel) {
      return upper[left + channel] + upper[right + channel] + lower[left + channel] + lower[right + channel];
    };
    const int red = sum(0), green = sum(1), blue = sum(2);
    constexpr int middle = (128 << 18) + (1 << 17);
    to_blue[x] = static_cast<std::uint8_t>(
        (blue_of_red * red + blue_of_green * green + blue_of_blue * blue + middle) >> 18);
    to_red[x] = static_cast<std::uint8_t>(
        (red_of_red * red + red_of_green * green + red_of_blue * blue + middle) >> 18);
  };
  for (int x = 0; x < width / 2; ++x) write(x, 8 * x, 8 * x + 4);
  if (width % 2 == 1) write(width / 2, 4 * (width - 1), 4 * (width - 1));
}

}  // namespace

void to_planar(const RawPicture& picture, const PlanarRows& rows) {
  const int width = picture.size.x, height = picture.size.y;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(picture.rgba.data());
  const auto row = [&](int y) {
    return bytes + static_cast<std::ptrdiff_t>(height - 1 - std::min(y, height - 1)) * width * 4;
  };
  for (int y = 0; y < height; ++y) luma_row(row(y), width, rows.luma + y * rows.luma_stride);
  for (int y = 0; y < (height + 1) / 2; ++y)
    color_row(row(2 * y), row(2 * y + 1), width, rows.blue + y * rows.color_stride,
              rows.red + y * rows.color_stride);
}

}  // namespace orrery::app::serve
