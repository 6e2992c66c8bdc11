#include "app/picture/picture_overlay.h"

#include <algorithm>

#include "app/picture/arrow_overlay.h"
#include "app/picture/axes.h"
#include "app/picture/labels.h"
#include "app/picture/overlay_options.h"
#include "app/picture/scale_bar.h"

namespace orrery::app {

namespace {

/// At the left, from below: title and time, scale bar, arrows. Returns how far up the lines of text reach.
float draw_left(const OverlaySheet& sheet, const PictureInput& picture, const LegendInfo& info,
                const sim::PhysicalUnits& units) {
  const auto& settings = picture.configuration;
  const float gap = 0.7F * sheet.line();
  ImVec2 corner{sheet.left + sheet.margin(), sheet.size.y - 0.9F * sheet.margin()};
  if (settings.boolean("legend")) corner.y -= draw_title(sheet, corner, info, picture.summary, units) + gap;
  const float top_of_texts = corner.y;
  if (shows_scale_bar(settings)) {
    const float most = std::min(0.22F * sheet.free_width(), 14.0F * sheet.line());
    const auto bar = scale_bar(picture.camera, double{sheet.size.y}, double{most}, units);
    corner.y -= draw_scale_bar(sheet, corner, bar) + gap;
  }
  if (settings.boolean("legend"))
    if (const float high = draw_arrow_key(sheet, corner, picture, units); high > 0.0F) corner.y -= high + gap;
  const auto& axes = settings.choice("axes");
  if (axes == "corner" || (axes == "box" && picture.summary.galaxies > 1))
    draw_axis_arrows(sheet, corner, picture.camera);
  return top_of_texts;
}

/// At the right, beside the title, or above it where both have no room.
void draw_right(const OverlaySheet& sheet, const PictureInput& picture, const LegendInfo& info,
                const sim::PhysicalUnits& units, float above) {
  ImVec2 corner{sheet.size.x - sheet.margin(), sheet.size.y - 0.9F * sheet.margin()};
  float used = sheet.left;
  for (const auto& box : sheet.taken) used = std::max(used, box.to.x);
  const float line = sheet.line();
  float width = corner.x - used - 2.0F * line;
  if (width < 12.0F * line) {
    corner.y = above;
    width = 0.5F * sheet.free_width();
  }
  draw_color_key(sheet, corner, width, info, picture.summary, picture.configuration, units);
}

}  // namespace

void draw_picture_overlay(const OverlaySheet& sheet, const PictureInput& picture, const LegendInfo& info) {
  const auto& settings = picture.configuration;
  const auto units = shown_units(settings, info.units);
  const bool box = settings.choice("axes") == "box" && picture.summary.galaxies == 1;
  if (box) draw_axis_box(sheet, picture, units);
  draw_velocity_arrows(sheet, picture);
  const float above = draw_left(sheet, picture, info, units);
  if (settings.boolean("legend")) draw_right(sheet, picture, info, units, above);
  if (box) draw_axis_numbers(sheet, picture, units);
  draw_labels(sheet, picture);
  draw_names(sheet, picture);
}

}  // namespace orrery::app
