#include "app/gui/dot_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>
#include <vector>

#include "app/gui/curve_plot.h"

namespace orrery::app {

namespace {

ImU32 dot_color(const plots::Color& color) { return color_on_ground(color, 0.22F); }

void marker(ImDrawList& list, plots::Marker kind, ImVec2 at, float radius, ImU32 color) {
  if (kind != plots::Marker::diamond) return list.AddCircleFilled(at, radius, color, 24);
  list.AddQuad({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
               color, 1.5F);
}

/// "1e-4", "1.5e-4": the sign of the power, without a zero before it.
std::string power_text(double value) {
  const double digits = value / std::pow(10.0, std::floor(std::log10(value)));
  auto text = std::abs(digits - std::round(digits)) < 0.02 ? fmt::format("{:.0e}", value)
                                                           : fmt::format("{:.1e}", value);
  if (const auto zero = text.find("e-0"); zero != std::string::npos) text.erase(zero + 2, 1);
  return text;
}

void grid(ImDrawList& list, const PlotArea& area, float unit) {
  const auto faint = ImGui::GetColorU32(ImGuiCol_TextDisabled, 0.25F);
  for (const auto& tick : plots::ticks(area.panel.x, x_ticks(area.high.x - area.low.x))) {
    const float x = area.at({tick.value, area.panel.y.low}).x;
    list.AddLine({x, area.low.y}, {x, area.high.y}, faint);
  }
  float free_to = area.high.y + unit;
  for (const auto& tick : plots::ticks(
           area.panel.y, std::max(static_cast<int>((area.high.y - area.low.y) / (2.2F * unit)), 2))) {
    const float y = area.at({area.panel.x.low, tick.value}).y;
    list.AddLine({area.low.x, y}, {area.high.x, y}, faint);
    const auto text = power_text(tick.value);
    const auto extent = ImGui::CalcTextSize(text.c_str());
    if (y + 0.5F * extent.y > free_to) continue;
    list.AddText({area.low.x - extent.x - 0.4F * unit, y - 0.5F * extent.y},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), text.c_str());
    free_to = y - 0.7F * extent.y;
  }
}

/// Legend of the curves that have a name and points, in one line above the plot.
void legend(const plots::Panel& panel, float unit) {
  bool first = true;
  for (const auto& line : panel.lines) {
    if (line.points.empty() || line.name.empty()) continue;
    const float width = ImGui::CalcTextSize(line.name.c_str()).x + 2.2F * unit;
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    if (!first && ImGui::GetItemRectMax().x + width < right) ImGui::SameLine();
    first = false;
    const auto at = ImGui::GetCursorScreenPos();
    marker(*ImGui::GetWindowDrawList(), line.marker, {at.x + 0.4F * unit, at.y + 0.55F * unit}, 0.3F * unit,
           dot_color(line.color));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit);
    ImGui::TextDisabled("%s", line.name.c_str());
  }
}

/// A point of a line on the screen, and the width at which its name is broken; 0: not at all.
struct PlottedDot {
  const plots::Line* line;
  std::size_t index;
  NamedDot dot;
  float wrap = 0.0F;

  const std::string& name() const { return line->labels[index]; }
};

/// Those of the largest dots come first: the one that computes now must have its name.
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

std::string draw_dots(const plots::Panel& panel, ImVec2 size, DotNames names) {
  const float unit = ImGui::GetFontSize();
  legend(panel, unit);
  ImGui::TextDisabled("%s, over %s", panel.y.label.c_str(), panel.x.label.c_str());
  const auto corner = ImGui::GetCursorScreenPos();
  ImGui::Dummy(size);
  const PlotArea area{{corner.x + 3.4F * unit, corner.y + 0.3F * unit},
                      {corner.x + size.x - 0.3F * unit, corner.y + size.y - 1.6F * unit},
                      panel};
  if (area.high.x - area.low.x < 4.0F * unit || area.high.y - area.low.y < 4.0F * unit) return {};
  auto& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(area.low, area.high, ImGui::GetColorU32(ImGuiCol_FrameBg, 0.55F), 3.0F);
  grid(list, area, unit);
  auto bare = panel.x;
  bare.label.clear();
  draw_x_axis(list, bare, {area.low.x, area.high.y}, area.high.x - area.low.x);
  const auto dots = dots_of(area, unit, names);
  // The largest are on top of the others.
  for (const auto& each : dots | std::views::reverse)
    marker(list, each.line->marker, each.dot.at, each.dot.radius, dot_color(each.line->color));
  write_names(list, area, dots, names);
  return hovered_dots(area, dots);
}

}  // namespace orrery::app
