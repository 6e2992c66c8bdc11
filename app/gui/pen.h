#pragma once

#include <imgui.h>

#include <string>

namespace orrery::app {

/// Writes text into a picture, with a shadow, so that it can be read on a bright galaxy too: light on dark,
/// or with `ink` dark on paper.
struct Pen {
  ImDrawList& list;
  float size;  ///< height of a line, in the draw list's units
  ImU32 color = IM_COL32(225, 228, 235, 235);
  ImU32 shadow = IM_COL32(0, 0, 0, 200);
  ImFont* font = ImGui::GetFont();

  float width(const std::string& text) const {
    return font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x;
  }
  /// `at`: the upper left corner.
  void write(ImVec2 at, const std::string& text) const {
    list.AddText(font, size, {at.x + 1, at.y + 1}, shadow, text.c_str());
    list.AddText(font, size, at, color, text.c_str());
  }
};

/// A pen for a picture; on paper whatever colour was meant becomes ink.
inline Pen picture_pen(ImDrawList& list, float size, bool paper, ImU32 color = IM_COL32(225, 228, 235, 235)) {
  if (paper) return {list, size, IM_COL32(20, 22, 30, 255), IM_COL32(255, 255, 255, 200)};
  return {list, size, color};
}

}  // namespace orrery::app
