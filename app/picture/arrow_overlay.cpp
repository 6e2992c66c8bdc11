#include "app/picture/arrow_overlay.h"

#include <algorithm>
#include <cmath>

#include "app/picture/overlay_projection.h"

namespace orrery::app {

namespace {

ArrowLook look_of_arrows(const OverlaySheet& sheet) {
  return {.color = sheet.style.arrow,
          .halo = sheet.style.halo,
          .width = 1.5F * sheet.thin(),
          .head = 0.55F * sheet.line()};
}

/// False for bodies whose place or velocity is no number, or without end.
bool has_numbers(const MovingBody& body) {
  return std::isfinite(glm::dot(body.place, body.place) + glm::dot(body.velocity, body.velocity));
}

bool touches(const OverlaySheet& sheet, ImVec2 from, ImVec2 to) {
  return std::max(from.x, to.x) > sheet.left && std::min(from.x, to.x) < sheet.size.x &&
         std::max(from.y, to.y) > 0.0F && std::min(from.y, to.y) < sheet.size.y;
}

}  // namespace

void draw_arrow_between(ImDrawList& list, ImVec2 from, ImVec2 to, const ArrowLook& look) {
  const ImVec2 way{to.x - from.x, to.y - from.y};
  const float length = std::hypot(way.x, way.y);
  if (length < 2.0F * look.width) {
    list.AddCircleFilled(from, 1.2F * look.width + 1.0F, look.halo);
    list.AddCircleFilled(from, 1.2F * look.width, look.color);
    return;
  }
  const float head = std::min(look.head, 0.8F * length);
  const ImVec2 along{way.x / length, way.y / length};
  const ImVec2 neck{to.x - 0.8F * head * along.x, to.y - 0.8F * head * along.y};
  const auto triangle = [&](float size, ImU32 color) {
    const float tip = 0.5F * (size - head), half = 0.38F * size;
    const ImVec2 end{to.x + tip * along.x, to.y + tip * along.y};
    const ImVec2 back{end.x - size * along.x, end.y - size * along.y};
    list.AddTriangleFilled(end, {back.x - half * along.y, back.y + half * along.x},
                           {back.x + half * along.y, back.y - half * along.x}, color);
  };
  list.AddLine(from, neck, look.halo, look.width + 2.0F);
  triangle(head + 3.0F, look.halo);
  list.AddLine(from, neck, look.color, look.width);
  triangle(head, look.color);
}

void draw_velocity_arrows(const OverlaySheet& sheet, const PictureInput& picture) {
  if (picture.orbits == nullptr || !picture.look.overlay.shows_arrows()) return;
  const auto& arrows = picture.orbits->arrows();
  const double time = arrow_time(picture.camera, picture.look.overlay, arrows.usual_speed());
  const OverlayProjection eye(picture, sheet.size);
  const auto look = look_of_arrows(sheet);
  for (const auto& body : arrows.bodies()) {
    if (!has_numbers(body) || !eye.see(body.place)) continue;
    const auto seen = eye.see(body.place, body.place + time * body.velocity);
    if (seen && touches(sheet, seen->first, seen->second))
      draw_arrow_between(sheet.list, seen->first, seen->second, look);
  }
}

float draw_arrow_key(const OverlaySheet& sheet, ImVec2 corner, const PictureInput& picture,
                     const sim::PhysicalUnits& units, double view_height) {
  if (picture.orbits == nullptr || !picture.look.overlay.shows_arrows()) return 0.0F;
  const double most = std::min(0.2 * double{sheet.free_width()}, 5.0 * double{sheet.line()});
  const auto key = arrow_key(picture.camera, picture.look.overlay, picture.orbits->arrows().usual_speed(),
                             view_height, most, units);
  if (!(key.pixels > 0.0)) return 0.0F;
  const auto pen = text_pen(sheet);
  const float middle = corner.y - 0.5F * sheet.line();
  const auto length = static_cast<float>(key.pixels);
  draw_arrow_between(sheet.list, {corner.x, middle}, {corner.x + length, middle}, look_of_arrows(sheet));
  const float text = corner.x + length + 0.6F * sheet.line();
  pen.write({text, corner.y - sheet.line()}, key.text);
  const float end = corner.x + sheet.room_for(text + pen.width(key.text) - corner.x);
  sheet.taken.push_back({{corner.x, corner.y - sheet.line()}, {end, corner.y}});
  return sheet.line();
}

}  // namespace orrery::app
