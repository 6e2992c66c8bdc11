#pragma once

#include <imgui.h>

#include <string>

namespace orrery::app {

/// Writes text into a picture, with a shadow, so that it can be read on a bright galaxy too.
struct Pen {
  ImDrawList& list;
  float size;  ///< height of a line, in the draw list's units
  ImU32 color = IM_COL32(225, 228, 235, 235);
  ImFont* font = ImGui::GetFont();

  float width(const std::string& text) const {
    return font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x;
  }
  /// `at`: the upper left corner.
  void write(ImVec2 at, const std::string& text) const {
    list.AddText(font, size, {at.x + 1, at.y + 1}, IM_COL32(0, 0, 0, 200), text.c_str());
    list.AddText(font, size, at, color, text.c_str());
  }
};

}  // namespace orrery::app
