#include "app/gui/plot_axes.h"

#include <algorithm>
#include <string>

namespace orrery::app {

namespace {

ImU32 faint(float alpha) {
  auto color = ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled);
  color.w *= alpha;
  return ImGui::ColorConvertFloat4ToU32(color);
}

std::string text_of(const plots::Tick& tick, const plots::Axis& axis, bool last) {
  auto text = plots::plain_text(tick.text);
  if (last && !axis.label.empty()) text += " " + axis.label;
  return text;
}

}  // namespace

int x_ticks(float width) { return std::max(static_cast<int>(width / (5.0F * ImGui::GetFontSize())), 2); }

void draw_x_axis(ImDrawList& list, const plots::Axis& axis, ImVec2 corner, float width) {
  const float font = ImGui::GetFontSize();
  const ImU32 color = faint(1.0F);
  list.AddLine(corner, {corner.x + width, corner.y}, color);
  const auto all = plots::ticks(axis, x_ticks(width));
  float free_from = corner.x;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const float x = corner.x + width * static_cast<float>(axis.place(all[k].value));
    list.AddLine({x, corner.y}, {x, corner.y + 0.25F * font}, color);
    const auto text = text_of(all[k], axis, k + 1 == all.size());
    const float extent = ImGui::CalcTextSize(text.c_str()).x;
    const float left = std::clamp(x - 0.5F * extent, corner.x, std::max(corner.x + width - extent, corner.x));
    if (left < free_from) continue;
    list.AddText({left, corner.y + 0.15F * font}, color, text.c_str());
    free_from = left + extent + 0.5F * font;
  }
}

void draw_value_lines(const plots::Axis& axis, ImVec2 low, ImVec2 high) {
  auto& list = *ImGui::GetWindowDrawList();
  const float size = 0.75F * ImGui::GetFontSize();
  for (const auto& tick : plots::ticks(axis, 2)) {
    const float y = high.y - (high.y - low.y) * static_cast<float>(axis.place(tick.value));
    // At the lower end stands the frame.
    if (y > high.y - 0.5F * size || y < low.y) continue;
    list.AddLine({low.x, y}, {high.x, y}, faint(0.35F));
    const auto text = plots::plain_text(tick.text);
    const float extent = ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x;
    // On a ground of its own: the curve may be anywhere.
    list.AddRectFilled({high.x - extent - 4.0F, y + 1.0F}, {high.x - 1.0F, y + size + 2.0F},
                       ImGui::GetColorU32(ImGuiCol_FrameBg));
    list.AddText(ImGui::GetFont(), size, {high.x - extent - 2.0F, y}, faint(1.0F), text.c_str());
  }
}

ImVec2 PlotArea::at(const plots::Point& point) const {
  const auto x = static_cast<float>(panel.x.place(point.x)), y = static_cast<float>(panel.y.place(point.y));
  return {low.x + (high.x - low.x) * x, high.y - (high.y - low.y) * y};
}

ImU32 color_on_ground(const plots::Color& color, float ink) {
  const auto text = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  const auto mix = [ink](double part, float of_text) {
    return static_cast<float>((1.0 - double{ink}) * part) + ink * of_text;
  };
  return ImGui::ColorConvertFloat4ToU32(
      {mix(color.red, text.x), mix(color.green, text.y), mix(color.blue, text.z), 1.0F});
}

}  // namespace orrery::app
