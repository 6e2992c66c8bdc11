#include "app/gui/curve_plot.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

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

namespace {

/// Converts colours of figures: black on paper becomes the colour of texts.
ImU32 line_color(const plots::Color& color) {
  return color == plots::black ? color_on_ground(color, 1.0F) : color_on_ground(color, 0.2F);
}

ImU32 dim(float alpha = 1.0F) { return ImGui::GetColorU32(ImGuiCol_TextDisabled, alpha); }

std::vector<plots::Tick> value_ticks(const PlotArea& area, float unit) {
  const int wanted = static_cast<int>((area.high.y - area.low.y) / (2.4F * unit));
  return plots::ticks(area.panel.y, std::max(wanted, 2));
}

/// Room for the widest number at the left.
float width_of(const std::vector<plots::Tick>& ticks) {
  float widest = 0.0F;
  for (const auto& tick : ticks)
    widest = std::max(widest, ImGui::CalcTextSize(plots::plain_text(tick.text).c_str()).x);
  return widest;
}

void grid(ImDrawList& list, const PlotArea& area, const std::vector<plots::Tick>& values, float unit) {
  float free_to = area.high.y + unit;
  for (const auto& tick : values) {
    const float y = area.at({area.panel.x.low, tick.value}).y;
    list.AddLine({area.low.x, y}, {area.high.x, y}, dim(0.22F));
    const auto text = plots::plain_text(tick.text);
    const auto extent = ImGui::CalcTextSize(text.c_str());
    if (y + 0.5F * extent.y > free_to) continue;
    list.AddText({area.low.x - extent.x - 0.35F * unit, y - 0.5F * extent.y}, dim(), text.c_str());
    free_to = y - 0.55F * extent.y;
  }
}

/// On a ground of its own: curves may be anywhere.
void write_over(ImDrawList& list, ImVec2 at, float size, const std::string& text) {
  auto* font = ImGui::GetFont();
  const auto extent = font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str());
  list.AddRectFilled({at.x - 2.0F, at.y}, {at.x + extent.x + 2.0F, at.y + extent.y},
                     ImGui::GetColorU32(ImGuiCol_FrameBg, 0.8F), 2.0F);
  list.AddText(font, size, at, ImGui::GetColorU32(ImGuiCol_Text, 0.75F), text.c_str());
}

/// In the corners of the plot: what is beside the axes is for numbers.
void name_axes(ImDrawList& list, const PlotArea& area, float unit) {
  const float size = 0.85F * unit;
  const auto &x = area.panel.x.label, &y = area.panel.y.label;
  const float extent = ImGui::GetFont()->CalcTextSizeA(size, FLT_MAX, 0.0F, x.c_str()).x;
  write_over(list, {area.low.x + 0.3F * unit, area.low.y + 0.1F * unit}, size, y);
  write_over(list, {area.high.x - extent - 0.3F * unit, area.high.y - 1.1F * size}, size, x);
}

void dashed(ImDrawList& list, ImVec2 from, ImVec2 to, ImU32 color, float unit) {
  const float length = std::hypot(to.x - from.x, to.y - from.y), step = 0.8F * unit;
  const int dashes = static_cast<int>(std::ceil(length / step));
  for (int k = 0; k < dashes; ++k) {
    const float at = static_cast<float>(k) * step;
    const auto point = [&](float part) {
      const float p = std::min(part / length, 1.0F);
      return ImVec2{from.x + (to.x - from.x) * p, from.y + (to.y - from.y) * p};
    };
    list.AddLine(point(at), point(at + 0.55F * step), color, 0.1F * unit);
  }
}

void curve(ImDrawList& list, const PlotArea& area, const plots::Line& line, float unit) {
  const auto color = line_color(line.color);
  std::vector<ImVec2> points;
  for (const auto& point : line.points)
    if (std::isfinite(point.x) && std::isfinite(point.y)) points.push_back(area.at(point));
  if (!line.joined || points.size() == 1) {
    const float radius = (line.joined ? 0.16F : 0.07F) * unit;
    for (const auto& at : points) list.AddCircleFilled(at, radius, color, line.joined ? 12 : 6);
    return;
  }
  if (line.dash == plots::Dash::solid)
    return list.AddPolyline(points.data(), static_cast<int>(points.size()), color, 0, 0.12F * unit);
  for (std::size_t k = 1; k < points.size(); ++k) dashed(list, points[k - 1], points[k], color, unit);
}

/// Legend of the curves that have a name and points, in lines above the plot.
void legend(const plots::Panel& panel, float unit) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const auto& line : panel.lines) {
    if (line.points.empty() || line.name.empty()) continue;
    const float width = ImGui::CalcTextSize(line.name.c_str()).x + 1.9F * unit;
    if (!first && ImGui::GetItemRectMax().x + width < right) ImGui::SameLine(0.0F, 0.7F * unit);
    first = false;
    const auto at = ImGui::GetCursorScreenPos();
    const float middle = at.y + 0.55F * unit;
    ImGui::GetWindowDrawList()->AddLine({at.x, middle}, {at.x + 0.8F * unit, middle}, line_color(line.color),
                                        0.18F * unit);
    ImGui::Dummy({0.8F * unit, unit});
    ImGui::SameLine(0.0F, 0.3F * unit);
    ImGui::TextDisabled("%s", line.name.c_str());
  }
}

bool has_points(const plots::Panel& panel) {
  return std::ranges::any_of(panel.lines, [](const auto& line) { return !line.points.empty(); });
}

}  // namespace

void draw_curves(const plots::Panel& panel, ImVec2 size) {
  const float unit = ImGui::GetFontSize();
  const float top = ImGui::GetCursorPosY();
  if (!has_points(panel)) {
    ImGui::TextDisabled("nothing is known yet");
    return;
  }
  legend(panel, unit);
  size.y = std::max(size.y - (ImGui::GetCursorPosY() - top), 5.0F * unit);
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  PlotArea area{{corner.x, corner.y + 0.4F * unit},
                {corner.x + size.x - 0.4F * unit, corner.y + size.y - 1.5F * unit},
                panel};
  const auto values = value_ticks(area, unit);
  area.low.x += width_of(values) + 0.6F * unit;
  if (area.high.x - area.low.x < 4.0F * unit || area.high.y - area.low.y < 2.0F * unit) return;
  auto& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.low, area.high, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.55F), 3.0F);
  grid(list, area, values, unit);
  auto bare = panel.x;
  bare.label.clear();
  draw_x_axis(list, bare, {area.low.x, area.high.y}, area.high.x - area.low.x);
  list.PushClipRect(area.low, area.high, true);
  for (const auto& line : panel.lines) curve(list, area, line, unit);
  name_axes(list, area, unit);
  list.PopClipRect();
}

}  // namespace orrery::app
