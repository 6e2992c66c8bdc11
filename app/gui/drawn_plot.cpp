#include "app/gui/drawn_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>
#include <string>
#include <vector>

namespace orrery::app {

namespace {

/// The area of a figure's panel on the screen.
struct PlotArea {
  ImVec2 low, high;  ///< upper left and lower right corner
  const plots::Panel& panel;

  float width() const { return high.x - low.x; }
  float height() const { return high.y - low.y; }
  /// The position of a point of the panel, in window units.
  ImVec2 at(const plots::Point& point) const {
    const auto x = static_cast<float>(panel.x.place(point.x)), y = static_cast<float>(panel.y.place(point.y));
    return {low.x + width() * x, high.y - height() * y};
  }
};

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

/// The number of ticks of an x axis whose values have room in `width`.
int x_ticks(float width) { return std::max(static_cast<int>(width / (5.0F * ImGui::GetFontSize())), 2); }

/// A colour for paper on the ground of the theme, dark or light: `ink` (0 to 1) of the colour of texts mixed
/// in.
ImU32 color_on_ground(const plots::Color& color, float ink) {
  const auto text = ImGui::GetStyleColorVec4(ImGuiCol_Text);
  const auto mix = [ink](double part, float of_text) {
    return static_cast<float>((1.0 - double{ink}) * part) + ink * of_text;
  };
  return ImGui::ColorConvertFloat4ToU32(
      {mix(color.red, text.x), mix(color.green, text.y), mix(color.blue, text.z), 1.0F});
}

/// Lines at the values of the y axis, with their texts at the left as far as these have room.
struct ValueGrid {
  float shade;       ///< shade of the lines
  float gap, apart;  ///< between a text and the plot, in heights of letters; from text to text, in its height
  std::string (*text)(const plots::Tick& tick);
  bool columns = false;  ///< lines at the values of the x axis, too
};

ImU32 dim(float alpha = 1.0F) { return ImGui::GetColorU32(ImGuiCol_TextDisabled, alpha); }

/// `room`: what a value takes of the height.
std::vector<plots::Tick> value_ticks(const PlotArea& area, float room) {
  return plots::ticks(area.panel.y, std::max(static_cast<int>(area.height() / room), 2));
}

/// Ground, grid and x axis of a plot.
void draw_frame(ImDrawList& list, const PlotArea& area, const std::vector<plots::Tick>& values,
                const ValueGrid& grid) {
  const float unit = ImGui::GetFontSize();
  list.AddRectFilled(area.low, area.high, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.55F), 3.0F);
  if (grid.columns)
    for (const auto& tick : plots::ticks(area.panel.x, x_ticks(area.width()))) {
      const float x = area.at({tick.value, area.panel.y.low}).x;
      list.AddLine({x, area.low.y}, {x, area.high.y}, dim(grid.shade));
    }
  float free_to = area.high.y + unit;
  for (const auto& tick : values) {
    const float y = area.at({area.panel.x.low, tick.value}).y;
    list.AddLine({area.low.x, y}, {area.high.x, y}, dim(grid.shade));
    const auto text = grid.text(tick);
    const auto extent = ImGui::CalcTextSize(text.c_str());
    if (y + 0.5F * extent.y > free_to) continue;
    list.AddText({area.low.x - extent.x - grid.gap * unit, y - 0.5F * extent.y}, dim(), text.c_str());
    free_to = y - grid.apart * extent.y;
  }
  auto bare = area.panel.x;
  bare.label.clear();
  draw_x_axis(list, bare, {area.low.x, area.high.y}, area.width());
}

/// The names of the lines that have one and points, in lines above the plot. `sign(line, corner)` draws what
/// stands before a name; both take `room` besides the name.
template <typename Sign>
void legend(const plots::Panel& panel, float room, float gap, const Sign& sign) {
  bool first = true;
  for (const auto& line : panel.lines) {
    if (line.points.empty() || line.name.empty()) continue;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const float width = ImGui::CalcTextSize(line.name.c_str()).x + room;
    if (!first && ImGui::GetItemRectMax().x + width < right) ImGui::SameLine(0.0F, gap);
    first = false;
    sign(line, ImGui::GetCursorScreenPos());
    ImGui::TextDisabled("%s", line.name.c_str());
  }
}

/// Converts colours of figures: black on paper becomes the colour of texts.
ImU32 line_color(const plots::Color& color) {
  return color == plots::black ? color_on_ground(color, 1.0F) : color_on_ground(color, 0.2F);
}

std::string plain_text(const plots::Tick& tick) { return plots::plain_text(tick.text); }

/// Room for the widest number at the left.
float width_of(const std::vector<plots::Tick>& ticks) {
  float widest = 0.0F;
  for (const auto& tick : ticks)
    widest = std::max(widest, ImGui::CalcTextSize(plots::plain_text(tick.text).c_str()).x);
  return widest;
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

void curve_legend(const plots::Panel& panel, float unit) {
  legend(panel, 1.9F * unit, 0.7F * unit, [unit](const plots::Line& line, ImVec2 at) {
    const float middle = at.y + 0.55F * unit;
    ImGui::GetWindowDrawList()->AddLine({at.x, middle}, {at.x + 0.8F * unit, middle}, line_color(line.color),
                                        0.18F * unit);
    ImGui::Dummy({0.8F * unit, unit});
    ImGui::SameLine(0.0F, 0.3F * unit);
  });
}

bool has_points(const plots::Panel& panel) {
  return std::ranges::any_of(panel.lines, [](const auto& line) { return !line.points.empty(); });
}

ImU32 dot_color(const plots::Color& color) { return color_on_ground(color, 0.22F); }

void marker(ImDrawList& list, plots::Marker kind, ImVec2 at, float radius, ImU32 color) {
  if (kind != plots::Marker::diamond) return list.AddCircleFilled(at, radius, color, 24);
  list.AddQuad({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
               color, 1.5F);
}

/// "1e-4", "1.5e-4": the sign of the power, without a zero before it.
std::string power_text(const plots::Tick& tick) {
  const double value = tick.value;
  const double digits = value / std::pow(10.0, std::floor(std::log10(value)));
  auto text = std::abs(digits - std::round(digits)) < 0.02 ? fmt::format("{:.0e}", value)
                                                           : fmt::format("{:.1e}", value);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

void dot_legend(const plots::Panel& panel, float unit) {
  legend(panel, 2.2F * unit, ImGui::GetStyle().ItemSpacing.x, [unit](const plots::Line& line, ImVec2 at) {
    marker(*ImGui::GetWindowDrawList(), line.marker, {at.x + 0.4F * unit, at.y + 0.55F * unit}, 0.3F * unit,
           dot_color(line.color));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit);
  });
}

/// A point of a line on the screen, and the width at which its name is broken; 0: not at all.
struct PlottedDot {
  const plots::Line* line;
  std::size_t index;
  NamedDot dot;
  float wrap = 0.0F;

  const std::string& name() const { return line->labels[index]; }
};

/// The dots with their names, the largest first: the one that computes now must have its name.
std::vector<PlottedDot> dots_of(const PlotArea& area, float unit, DotNames which) {
  std::vector<PlottedDot> dots;
  const float widest = 0.5F * (area.high.x - area.low.x);
  for (const auto& line : area.panel.lines) {
    const float radius = static_cast<float>(line.marker_size) * unit / 15.0F;
    for (std::size_t k = 0; k < line.points.size(); ++k) {
      PlottedDot each{&line, k, {area.at(line.points[k]), radius, {}}};
      each.dot.name = ImGui::CalcTextSize(each.name().c_str());
      if (which == DotNames::all && each.dot.name.x > widest) {
        each.wrap = widest;
        each.dot.name = ImGui::CalcTextSize(each.name().c_str(), nullptr, false, widest);
      }
      dots.push_back(each);
    }
  }
  std::ranges::stable_sort(dots, std::greater(), [](const PlottedDot& each) { return each.dot.radius; });
  return dots;
}

void write_names(ImDrawList& list, const PlotArea& area, const std::vector<PlottedDot>& plotted,
                 DotNames which) {
  std::vector<NamedDot> dots;
  for (const auto& each : plotted) dots.push_back(each.dot);
  const auto names = place_names(dots, area.low, area.high, which);
  // Lines first: where all else is taken they may cross a name.
  for (std::size_t k = 0; k < plotted.size(); ++k)
    if (names[k] && names[k]->line_to)
      list.AddLine(edge_of(dots[k], *names[k]->line_to), *names[k]->line_to,
                   ImGui::GetColorU32(ImGuiCol_Text, 0.5F));
  for (std::size_t k = 0; k < plotted.size(); ++k)
    if (names[k])
      list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), names[k]->corner,
                   ImGui::GetColorU32(ImGuiCol_Text, 0.85F), plotted[k].name().c_str(), nullptr,
                   plotted[k].wrap);
}

/// The names of the dots under the cursor, with their values.
std::string hovered_dots(const PlotArea& area, const std::vector<PlottedDot>& plotted) {
  std::string hovered;
  for (const auto& each : plotted) {
    const auto at = each.dot.at;
    const float reach = each.dot.radius + 3.0F;
    if (!ImGui::IsMouseHoveringRect({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach})) continue;
    const auto& x = area.panel.x;
    const auto& point = each.line->points[each.index];
    const auto value =
        x.durations ? plots::duration_text(point.x) : fmt::format("{:.3g} {}", point.x, x.label);
    hovered += fmt::format("{}{}: {}, {} {:.1e}", hovered.empty() ? "" : "\n", each.name(), value,
                           area.panel.y.label, point.y);
  }
  return hovered;
}

}  // namespace

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

void draw_curves(const plots::Panel& panel, ImVec2 size) {
  const float unit = ImGui::GetFontSize();
  const float top = ImGui::GetCursorPosY();
  if (!has_points(panel)) {
    ImGui::TextDisabled("nothing is known yet");
    return;
  }
  curve_legend(panel, unit);
  size.y = std::max(size.y - (ImGui::GetCursorPosY() - top), 5.0F * unit);
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  PlotArea area{{corner.x, corner.y + 0.4F * unit},
                {corner.x + size.x - 0.4F * unit, corner.y + size.y - 1.5F * unit},
                panel};
  const auto values = value_ticks(area, 2.4F * unit);
  area.low.x += width_of(values) + 0.6F * unit;
  if (area.width() < 4.0F * unit || area.height() < 2.0F * unit) return;
  auto& list = *ImGui::GetWindowDrawList();
  draw_frame(list, area, values, {.shade = 0.22F, .gap = 0.35F, .apart = 0.55F, .text = plain_text});
  list.PushClipRect(area.low, area.high, true);
  for (const auto& line : panel.lines) curve(list, area, line, unit);
  name_axes(list, area, unit);
  list.PopClipRect();
}

std::string draw_dots(const plots::Panel& panel, ImVec2 size, DotNames names) {
  const float unit = ImGui::GetFontSize();
  dot_legend(panel, unit);
  ImGui::TextDisabled("%s, over %s", panel.y.label.c_str(), panel.x.label.c_str());
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  const PlotArea area{{corner.x + 3.4F * unit, corner.y + 0.3F * unit},
                      {corner.x + size.x - 0.3F * unit, corner.y + size.y - 1.6F * unit},
                      panel};
  if (area.width() < 4.0F * unit || area.height() < 4.0F * unit) return {};
  auto& list = *ImGui::GetWindowDrawList();
  draw_frame(list, area, value_ticks(area, 2.2F * unit),
             {.shade = 0.25F, .gap = 0.4F, .apart = 0.7F, .text = power_text, .columns = true});
  const auto dots = dots_of(area, unit, names);
  // The largest are on top of the others.
  for (const auto& each : dots | std::views::reverse)
    marker(list, each.line->marker, each.dot.at, each.dot.radius, dot_color(each.line->color));
  write_names(list, area, dots, names);
  return hovered_dots(area, dots);
}

}  // namespace orrery::app
