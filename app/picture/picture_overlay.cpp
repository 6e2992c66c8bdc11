#include "app/picture/picture_overlay.h"
#include "app/picture/picture_style.h"

#include <algorithm>

#include "app/picture/arrow_overlay.h"
#include "app/picture/axes.h"
#include "app/picture/effects/effect.h"
#include "app/picture/labels.h"
#include "app/picture/picture_views.h"
#include "app/picture/scale_bar.h"

namespace orrery::app {

namespace {

/// Above `corner`, which is at the left. Returns how high it is.
float draw_line(const OverlaySheet& sheet, ImVec2 corner, const std::string& line) {
  auto pen = small_pen(sheet);
  pen.color = sheet.style.soft;
  const auto text = pen.fitted(line, 0.6F * sheet.free_width());
  pen.write({corner.x, corner.y - pen.size()}, text);
  sheet.taken.push_back({{corner.x, corner.y - pen.size()}, {corner.x + pen.width(text), corner.y}});
  return pen.size();
}

/// At the left, from below: title and time, scale bar, arrows, effects. Returns how far up the lines of text
/// reach. `view_height`: of the view that lengths hold in.
float draw_left(const OverlaySheet& sheet, const PictureInput& picture, const LegendInfo& info,
                const sim::PhysicalUnits& units, double view_height) {
  const auto& look = picture.look;
  const float gap = 0.7F * sheet.line();
  ImVec2 corner{sheet.left + sheet.margin(), sheet.size.y - 0.9F * sheet.margin()};
  if (look.picture.legend) corner.y -= draw_title(sheet, corner, info, picture.summary, units) + gap;
  const float top_of_texts = corner.y;
  if (look.shows_scale_bar()) {
    const float most = std::min(0.22F * sheet.free_width(), 14.0F * sheet.line());
    const auto bar = scale_bar(picture.camera, view_height, double{most}, units);
    corner.y -= draw_scale_bar(sheet, corner, bar) + gap;
    // Its length changes with the distance.
    auto& box = sheet.taken.back();
    box.to.x = std::max(box.to.x, box.from.x + most);
  }
  if (look.picture.legend)
    if (const float high = draw_arrow_key(sheet, corner, picture, units, view_height); high > 0.0F)
      corner.y -= high + gap;
  if (look.picture.legend)
    for (const auto& line : effect_legends(look, has_background(picture)))
      corner.y -= draw_line(sheet, corner, line) + gap;
  if (look.picture.has_several_views()) return top_of_texts;
  const auto& axes = look.overlay.axes;
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
  draw_color_key(sheet, corner, width, info, picture.summary, picture.look, units);
}

bool has_box(const PictureInput& picture) {
  return picture.look.overlay.axes == "box" && picture.summary.galaxies == 1;
}

void draw_below_texts(const OverlaySheet& sheet, const PictureInput& picture,
                      const sim::PhysicalUnits& units) {
  if (has_box(picture)) draw_axis_box(sheet, picture, units);
  draw_velocity_arrows(sheet, picture);
}

/// Draws the labels that keep clear of other texts.
void draw_in_space(const OverlaySheet& sheet, const PictureInput& picture, const sim::PhysicalUnits& units) {
  if (has_box(picture)) draw_axis_numbers(sheet, picture, units);
  draw_labels(sheet, picture);
  draw_names(sheet, picture);
}

/// Between the views.
void draw_borders(const OverlaySheet& sheet, const std::vector<PictureView>& views) {
  const auto x = static_cast<float>(0.5 * (views[0].corner.x + views[0].size.x + views[1].corner.x));
  const auto y = static_cast<float>(0.5 * (views[0].corner.y + views[0].size.y + views[2].corner.y));
  sheet.list.AddLine({x, 0.0F}, {x, sheet.size.y}, sheet.style.faint, sheet.thin());
  sheet.list.AddLine({static_cast<float>(views[0].corner.x), y}, {sheet.size.x, y}, sheet.style.faint,
                     sheet.thin());
}

/// So far up from the lower edge that a box has room above what is written at the left.
float free_height(const OverlaySheet& sheet, OverlayBox box) {
  const float high = box.to.y - box.from.y;
  for (std::size_t round = 0; round <= sheet.taken.size() && !sheet.is_free(box); ++round)
    for (const auto& other : sheet.taken)
      if (box.overlaps(other)) box = {{box.from.x, other.from.y - high}, {box.to.x, other.from.y}};
  return box.to.y;
}

/// The name of a view at its lower left, and the axes above it. Nothing in clean pictures.
void draw_view_name(const OverlaySheet& sheet, const PictureInput& picture, const PictureView& view) {
  if (!picture.look.picture.legend && picture.look.overlay.axes == "off") return;
  auto pen = text_pen(sheet);
  pen.color = sheet.style.soft;
  const std::string name(view.name);
  const float square = 6.0F * sheet.line(), left = sheet.margin();
  const float lowest = sheet.size.y - 0.9F * sheet.margin();
  const float bottom = free_height(sheet, {{left, lowest - pen.size() - square}, {left + square, lowest}});
  pen.write({left, bottom - pen.size()}, name);
  sheet.taken.push_back({{left, bottom - pen.size()}, {left + pen.width(name), bottom}});
  draw_axis_arrows(sheet, {0.3F * left, bottom - pen.size()}, picture.camera);
}

/// Moves what was drawn since, with its clip rectangles.
class MovedPart {
 public:
  MovedPart(ImDrawList& list, ImVec2 size) : list_(list), vertices_(list.VtxBuffer.Size) {
    list.PushClipRect({0.0F, 0.0F}, size);
    commands_ = list.CmdBuffer.Size - 1;
  }
  void move_by(ImVec2 way) {
    for (int i = vertices_; i < list_.VtxBuffer.Size; ++i) {
      list_.VtxBuffer[i].pos.x += way.x;
      list_.VtxBuffer[i].pos.y += way.y;
    }
    for (int i = commands_; i < list_.CmdBuffer.Size; ++i) {
      auto& clip = list_.CmdBuffer[i].ClipRect;
      clip = {clip.x + way.x, clip.y + way.y, clip.z + way.x, clip.w + way.y};
    }
    list_.PopClipRect();
  }

 private:
  ImDrawList& list_;
  int vertices_;
  int commands_;
};

/// One of several, in its own pixels, which are then moved to their place.
void draw_view(const OverlaySheet& sheet, const PictureInput& picture, const sim::PhysicalUnits& units,
               const PictureView& view) {
  const ImVec2 corner{static_cast<float>(view.corner.x), static_cast<float>(view.corner.y)};
  const ImVec2 size{static_cast<float>(view.size.x), static_cast<float>(view.size.y)};
  std::vector<OverlayBox> taken;
  for (const auto& box : sheet.taken)
    taken.push_back(
        {{box.from.x - corner.x, box.from.y - corner.y}, {box.to.x - corner.x, box.to.y - corner.y}});
  const auto others = taken.size();
  MovedPart part(sheet.list, size);
  const OverlaySheet own{sheet.list,      size,        0.0F, sheet.small, sheet.small,
                         sheet.real_font, sheet.style, taken};
  const auto input = input_of(picture, view);
  draw_below_texts(own, input, units);
  draw_view_name(own, input, view);
  draw_in_space(own, input, units);
  part.move_by(corner);
  for (auto i = others; i < taken.size(); ++i)
    sheet.taken.push_back({{taken[i].from.x + corner.x, taken[i].from.y + corner.y},
                           {taken[i].to.x + corner.x, taken[i].to.y + corner.y}});
}

}  // namespace

std::vector<OverlayBox> draw_picture_overlay(const OverlaySheet& sheet, const PictureInput& picture,
                                             const LegendInfo& info) {
  const auto& look = picture.look;
  const auto units = look.overlay.units(info.units);
  const auto views =
      views_of(look.picture, picture.camera, glm::dvec2(sheet.size.x, sheet.size.y), picture.shift);
  const bool several = views.size() > 1;
  if (!several) draw_below_texts(sheet, picture, units);
  const auto before = sheet.taken.size();
  const float above = draw_left(sheet, picture, info, units, views.front().size.y);
  if (look.picture.legend) draw_right(sheet, picture, info, units, above);
  std::vector<OverlayBox> legend(sheet.taken.begin() + static_cast<std::ptrdiff_t>(before),
                                 sheet.taken.end());
  if (!several) {
    draw_in_space(sheet, picture, units);
    return legend;
  }
  draw_borders(sheet, views);
  // The upper left one last: Dear ImGui joins what follows with commands of the same place.
  std::for_each(views.rbegin(), views.rend(),
                [&](const auto& view) { draw_view(sheet, picture, units, view); });
  return legend;
}

}  // namespace orrery::app
