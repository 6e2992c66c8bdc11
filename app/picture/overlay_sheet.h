#pragma once

#include <imgui.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/imgui_compat.h"

namespace orrery::app {

/// The colours of everything that is written or drawn over a picture.
struct OverlayStyle {
  ImU32 ink;      ///< texts, the scale bar
  ImU32 soft;     ///< colour of secondary text: units, names, tick numbers
  ImU32 line;     ///< frames and ticks
  ImU32 faint;    ///< grids and the background
  ImU32 halo;     ///< around texts, so that they can be read on a bright galaxy too
  ImU32 accent;   ///< colour of highlights
  ImU32 arrow;    ///< velocities
  ImU32 x, y, z;  ///< the axes
};

/// The style for a background of that luminance: 0 black, 1 white.
OverlayStyle overlay_style(float background);

/// A rectangle of a picture, in pixels: upper left and lower right corner.
struct OverlayBox {
  ImVec2 from, to;
  bool overlaps(const OverlayBox& other) const {
    return from.x < other.to.x && other.from.x < to.x && from.y < other.to.y && other.from.y < to.y;
  }
};

/// The surface for texts and shapes over a picture: letters at their true size, colours from one place, and
/// which parts are taken. Lengths are pixels of the picture, from its upper left corner.
struct OverlaySheet {
  ImDrawList& list;
  ImVec2 size;     ///< size of the picture
  float left;      ///< so much of it is covered from the left, by the panel
  ImFont* font;    ///< font of texts
  ImFont* small;   ///< font of axis numbers, names and superscripts
  bool real_font;  ///< false: letters of ASCII only
  OverlayStyle style;
  std::vector<OverlayBox>& taken;  ///< areas that texts of the legend and the like cover

  float line() const { return letter_height(*font); }
  float margin() const { return 1.1F * line(); }
  float free_width() const { return size.x - left; }
  /// Line width.
  float thin() const { return std::max(1.0F, line() / 13.0F); }
  bool is_free(const OverlayBox& box) const;
  /// Room for a text whose digits change: its width, rounded up so that the room seldom does.
  float room_for(float width) const;
};

/// Writes with one of the sheet's fonts, in one colour. Texts are UTF-8 with raised parts as figures have
/// them: "2×10^{−3}". Where the program has no real font, signs are written in plain letters.
struct OverlayPen {
  const OverlaySheet& sheet;
  ImFont* font;
  ImU32 color;

  float size() const { return letter_height(*font); }
  /// The width in pixels, including superscripts.
  float width(std::string_view text) const;
  /// `at`: the upper left corner of the line.
  void write(ImVec2 at, std::string_view text) const;
  /// The text, or its beginning with an ellipsis, so that it is no wider.
  std::string fitted(const std::string& text, float most) const;
};

/// The usual pen of a sheet, and the small one.
OverlayPen text_pen(const OverlaySheet& sheet);
OverlayPen small_pen(const OverlaySheet& sheet);

}  // namespace orrery::app
