#include "app/gui/dot_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "app/gui/plot_axes.h"

namespace orrery::app {

namespace {

ImU32 color_of(const plots::Color& color) { return color_on_ground(color, 0.22F); }

/// Names that were written and dots: what another name must not cover.
class LabelSlots {
 public:
  bool claim(ImVec2 low, ImVec2 high) {
    const bool free = std::ranges::none_of(boxes_, [&](const Box& box) {
      return low.x < box.high.x && high.x > box.low.x && low.y < box.high.y && high.y > box.low.y;
    });
    if (free) boxes_.push_back({low, high});
    return free;
  }

 private:
  struct Box {
    ImVec2 low, high;
  };
  std::vector<Box> boxes_;
};

void marker(ImDrawList& list, plots::Marker kind, ImVec2 at, float radius, ImU32 color) {
  if (kind != plots::Marker::diamond) return list.AddCircleFilled(at, radius, color, 24);
  list.AddQuad({at.x, at.y - radius}, {at.x + radius, at.y}, {at.x, at.y + radius}, {at.x - radius, at.y},
               color, 1.5F);
}

/// To the right of the dot, else to its left, above or below, or towards a corner; nowhere if all are taken.
void write_name(ImDrawList& list, const PlotArea& area, LabelSlots& taken, ImVec2 at, float radius,
                const std::string& name) {
  const auto extent = ImGui::CalcTextSize(name.c_str());
  const float gap = radius + 3.0F, half = 0.5F * extent.y;
  const float left = at.x - gap - extent.x, middle = at.x - 0.5F * extent.x, right = at.x + gap;
  const float above = at.y - extent.y - radius, below = at.y + radius;
  const std::array<ImVec2, 8> places{ImVec2{right, at.y - half},   ImVec2{left, at.y - half},
                                     ImVec2{middle, above - 3.0F}, ImVec2{middle, below + 3.0F},
                                     ImVec2{right, above + half},  ImVec2{right, below - half},
                                     ImVec2{left, above + half},   ImVec2{left, below - half}};
  for (const auto& place : places) {
    const ImVec2 end{place.x + extent.x, place.y + extent.y};
    if (place.x < area.low.x || end.x > area.high.x || place.y < area.low.y || end.y > area.high.y) continue;
    if (!taken.claim(place, end)) continue;
    return list.AddText(place, ImGui::GetColorU32(ImGuiCol_Text, 0.85F), name.c_str());
  }
}

/// "1e-4": the sign of the power, without a zero before it.
std::string power_text(double value) {
  auto text = fmt::format("{:.0e}", value);
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
           color_of(line.color));
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + unit);
    ImGui::TextDisabled("%s", line.name.c_str());
  }
}

/// Returns the one under the cursor, with its values.
std::string name_points(ImDrawList& list, const PlotArea& area, LabelSlots& taken, const plots::Line& line) {
  const float radius = static_cast<float>(line.marker_size) * ImGui::GetFontSize() / 15.0F;
  const float reach = radius + 3.0F;
  std::string hovered;
  for (std::size_t k = 0; k < line.points.size(); ++k) {
    const auto at = area.at(line.points[k]);
    write_name(list, area, taken, at, radius, line.labels[k]);
    if (!ImGui::IsMouseHoveringRect({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach})) continue;
    const auto& x = area.panel.x;
    const auto value = x.durations ? plots::duration_text(line.points[k].x)
                                   : fmt::format("{:.3g} {}", line.points[k].x, x.label);
    hovered += fmt::format("{}{}: {}, {} {:.1e}", hovered.empty() ? "" : "\n", line.labels[k], value,
                           area.panel.y.label, line.points[k].y);
  }
  return hovered;
}

}  // namespace

std::string draw_dots(const plots::Panel& panel, ImVec2 size) {
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
  LabelSlots taken;
  std::string hovered;
  for (const auto& line : panel.lines) {
    const float radius = static_cast<float>(line.marker_size) * unit / 15.0F;
    for (const auto& point : line.points) {
      const auto at = area.at(point);
      taken.claim({at.x - radius, at.y - radius}, {at.x + radius, at.y + radius});
      marker(list, line.marker, at, radius, color_of(line.color));
    }
  }
  // The largest first: the one that computes now must have its name.
  std::vector<const plots::Line*> lines;
  for (const auto& line : panel.lines) lines.push_back(&line);
  std::ranges::stable_sort(lines, std::greater(), &plots::Line::marker_size);
  for (const auto* line : lines) hovered += name_points(list, area, taken, *line);
  return hovered;
}

}  // namespace orrery::app
