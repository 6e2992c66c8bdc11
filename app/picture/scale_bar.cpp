#include "app/picture/scale_bar.h"

#include <array>
#include <cmath>

namespace orrery::app {

ScaleBar scale_bar(const render::Camera& camera, double height, double most_pixels,
                   const sim::PhysicalUnits& units) {
  const double length_of_pixel = camera.picture_height() / height;
  auto round = sim::round_length(most_pixels * length_of_pixel, units);
  return {round.length, round.length / length_of_pixel, std::move(round.text)};
}

float draw_scale_bar(const OverlaySheet& sheet, ImVec2 corner, const ScaleBar& bar) {
  const auto pen = text_pen(sheet);
  // Ends on whole pixels are sharp; the bar keeps its length to half a pixel.
  const float thick = std::max(1.0F, std::round(sheet.line() / 8.0F));
  const float left = std::round(corner.x);
  const float right = std::round(corner.x + static_cast<float>(bar.pixels));
  const float tick = std::round(0.45F * sheet.line());
  const float bottom = std::round(corner.y);
  const std::array<OverlayBox, 3> parts{{{{left, bottom - thick}, {right, bottom}},
                                         {{left, bottom - tick}, {left + thick, bottom - thick}},
                                         {{right - thick, bottom - tick}, {right, bottom - thick}}}};
  const float around = sheet.thin();
  for (const auto& [from, to] : parts)
    sheet.list.AddRectFilled({from.x - around, from.y - around}, {to.x + around, to.y + around},
                             sheet.style.halo);
  for (const auto& [from, to] : parts) sheet.list.AddRectFilled(from, to, sheet.style.ink);
  const float width = pen.width(bar.text);
  const float middle = std::max(left, 0.5F * (left + right - width));
  const float top = bottom - thick - 1.15F * sheet.line();
  pen.write({middle, top}, bar.text);
  sheet.taken.push_back({{left, top}, {std::max(right, middle + width), bottom}});
  return bottom - top;
}

}  // namespace orrery::app
