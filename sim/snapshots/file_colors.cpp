#include "sim/snapshots/file_colors.h"

#include <algorithm>
#include <cmath>

namespace orrery::sim {

namespace {

bool is_byte(double part) {
  return std::isnan(part) || (part >= 0.0 && part <= 255.0 && part == std::floor(part));
}

Color packed(const std::array<double, 3>& color) {
  Color sum = 0;
  for (const double part : color) {
    if (std::isnan(part)) return no_color;
    sum = 256U * sum + static_cast<Color>(part);
  }
  return sum;
}

}  // namespace

void settle_colors(Scene& scene, std::span<const std::array<double, 3>> colors) {
  if (!std::ranges::all_of(colors, [](const auto& each) { return std::ranges::all_of(each, is_byte); })) {
    scene.notes.emplace_back("left out: red, green, blue, which are no whole numbers from 0 to 255");
    return;
  }
  auto& own = scene.bodies.color;
  own.clear();
  for (const auto& color : colors) own.push_back(packed(color));
  own.resize(scene.bodies.size(), no_color);
}

std::array<std::uint8_t, 3> rgb_of(Color color) {
  return {static_cast<std::uint8_t>(color >> 16U), static_cast<std::uint8_t>(color >> 8U),
          static_cast<std::uint8_t>(color)};
}

}  // namespace orrery::sim
