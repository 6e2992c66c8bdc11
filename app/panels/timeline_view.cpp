#include "app/panels/timeline_view.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>

#include "app/gui/drawn_plot.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"

namespace orrery::app {

namespace {

/// The shortest part that can be shown, of the whole.
constexpr double smallest_window = 1e-4;

/// By activity: copy in, forces, update, copy out, exchange, sums.
constexpr std::array<ImU32, sim::activity_count> colors{
    IM_COL32(86, 156, 235, 255),  IM_COL32(240, 160, 70, 255), IM_COL32(120, 200, 120, 255),
    IM_COL32(180, 130, 230, 255), IM_COL32(230, 95, 120, 255), IM_COL32(250, 215, 120, 255)};

ImU32 span_color(sim::TimelineKind activity) { return colors.at(static_cast<std::size_t>(activity)); }

/// Where the plot is on the screen, and how time lies in it.
struct Plot {
  ImVec2 low;
  float width, row_height;
  double from_ms, to_ms;

  float x_of(double ms) const {
    const double part = (ms - from_ms) / std::max(to_ms - from_ms, 1e-12);
    return low.x + width * static_cast<float>(std::clamp(part, 0.0, 1.0));
  }
  double time_at(float x) const {
    return from_ms + double{(x - low.x) / std::max(width, 1.0F)} * (to_ms - from_ms);
  }
  float y_of(std::size_t row) const { return low.y + row_height * static_cast<float>(row); }
};

std::string span_help(const sim::TimelineSpan& span) {
  const auto galaxy = span.galaxy < 0 ? std::string("all galaxies") : fmt::format("galaxy {}", span.galaxy);
  return fmt::format("{}, {}, step {}\n{:.4f} ms, from {:.4f} to {:.4f} ms\ndevice {}, stream {}",
                     sim::activity_name(span.activity), galaxy, span.step, span.end_ms - span.start_ms,
                     span.start_ms, span.end_ms, span.device, span.stream);
}

/// The number of the galaxy in the middle of its forces, where it has room.
void draw_galaxy(ImVec2 low, ImVec2 high, const sim::TimelineSpan& span) {
  if (span.galaxy < 0 || span.activity != sim::TimelineKind::forces || high.y - low.y < ImGui::GetFontSize())
    return;
  const auto text = std::to_string(span.galaxy);
  const auto extent = ImGui::CalcTextSize(text.c_str());
  if (extent.x + 4.0F > high.x - low.x) return;
  ImGui::GetWindowDrawList()->AddText(
      {0.5F * (low.x + high.x - extent.x), 0.5F * (low.y + high.y - extent.y)}, IM_COL32(20, 20, 20, 255),
      text.c_str());
}

void draw_spans(const Plot& plot, const TimelineLayout& layout, const sim::Timeline& timeline) {
  auto& canvas = *ImGui::GetWindowDrawList();
  for (const auto& span : timeline.spans) {
    if (span.end_ms < plot.from_ms || span.start_ms > plot.to_ms) continue;
    const float y = plot.y_of(layout.row_of(span));
    const ImVec2 low{plot.x_of(span.start_ms), y + 1.0F};
    const float end = plot.x_of(span.end_ms);
    // A gap before the next one where there is room; never nothing.
    const ImVec2 high{end - low.x > 4.0F ? end - 1.0F : std::max(end, low.x + 1.0F),
                      y + plot.row_height - 1.0F};
    canvas.AddRectFilled(low, high, span_color(span.activity));
    draw_galaxy(low, high, span);
  }
}

void draw_rows(const Plot& plot, const TimelineLayout& layout, float label_left) {
  auto& canvas = *ImGui::GetWindowDrawList();
  const ImU32 text = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  const float font = ImGui::GetFontSize();
  for (std::size_t row = 0; row < layout.rows.size(); ++row) {
    const float y = plot.y_of(row);
    canvas.AddRectFilled({plot.low.x, y + 1.0F}, {plot.low.x + plot.width, y + plot.row_height - 1.0F},
                         empty_color());
    if (plot.row_height < font) continue;
    const auto name = fmt::format("{}:{}", layout.rows[row].device, layout.rows[row].stream);
    canvas.AddText({label_left, y + 0.5F * (plot.row_height - font)}, text, name.c_str());
  }
}

void draw_axis(const Plot& plot, float y) {
  const plots::Axis axis{
      .label = "ms", .low = plot.from_ms, .high = std::max(plot.to_ms, plot.from_ms + 1e-9)};
  draw_x_axis(*ImGui::GetWindowDrawList(), axis, {plot.low.x, y}, plot.width);
}

/// Wheel, drag and double click on the plot, which is the last item.
void steer(TimeWindow& window, const Plot& plot) {
  take_wheel();
  const auto& io = ImGui::GetIO();
  if (ImGui::IsItemHovered() && io.MouseWheel != 0.0F) {
    const double at = std::clamp(double{(io.MousePos.x - plot.low.x) / std::max(plot.width, 1.0F)}, 0.0, 1.0);
    window.zoom(io.MouseWheel > 0.0F ? 1.25 : 0.8, at);
  }
  if (ImGui::IsItemActive() && plot.width > 0.0F) window.move(double{-io.MouseDelta.x / plot.width});
  if (ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) window = {};
}

void help_under_cursor(const Plot& plot, const TimelineLayout& layout, const sim::Timeline& timeline) {
  const auto cursor = ImGui::GetIO().MousePos;
  const auto row = static_cast<std::size_t>(std::max((cursor.y - plot.low.y) / plot.row_height, 0.0F));
  const auto* span = layout.span_at(timeline, row, plot.time_at(cursor.x));
  if (span != nullptr) ImGui::SetTooltip("%s", span_help(*span).c_str());
}

/// Tall rows for few streams, thin ones for many.
float row_height(std::size_t rows, float scale) {
  return std::clamp(220.0F * scale / static_cast<float>(rows), 4.0F * scale, 20.0F * scale);
}

}  // namespace

TimelineLayout::TimelineLayout(const sim::Timeline& timeline) {
  for (const auto& span : timeline.spans) {
    start_ms = std::min(start_ms, span.start_ms);
    end_ms = std::max(end_ms, span.end_ms);
    rows.push_back({span.device, span.stream});
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

std::size_t TimelineLayout::row_of(const sim::TimelineSpan& span) const {
  const auto found = std::lower_bound(rows.begin(), rows.end(), Row{span.device, span.stream});
  return static_cast<std::size_t>(found - rows.begin());
}

const sim::TimelineSpan* TimelineLayout::span_at(const sim::Timeline& timeline, std::size_t row,
                                                 double time_ms) const {
  const sim::TimelineSpan* found = nullptr;
  for (const auto& span : timeline.spans) {
    if (row_of(span) == row && span.start_ms <= time_ms && time_ms <= span.end_ms) found = &span;
  }
  return found;
}

std::vector<double> TimelineLayout::busy_ms(const sim::Timeline& timeline) const {
  std::vector<double> busy(sim::activity_count, 0.0);
  for (const auto& span : timeline.spans)
    busy.at(static_cast<std::size_t>(span.activity)) += span.end_ms - span.start_ms;
  return busy;
}

std::vector<std::string> device_names(const sim::Timeline& timeline, const std::string& device) {
  const TimelineLayout layout(timeline);
  if (layout.rows.empty() || layout.rows.front().device != layout.rows.back().device) return {};
  const auto ordinal = static_cast<std::size_t>(std::max(layout.rows.front().device, 0));
  std::vector<std::string> names(ordinal + 1);
  names.back() = device;
  return names;
}

void TimeWindow::zoom(double factor, double at) {
  const double width = to - from;
  const double fixed = from + at * width;
  const double wanted = std::clamp(width / factor, smallest_window, 1.0);
  from = std::clamp(fixed - at * wanted, 0.0, 1.0 - wanted);
  to = from + wanted;
}

void TimeWindow::move(double by) {
  const double width = to - from;
  from = std::clamp(from + by * width, 0.0, 1.0 - width);
  to = from + width;
}

bool timeline_plot(const sim::Timeline& timeline, TimeWindow& window, float scale) {
  const TimelineLayout layout(timeline);
  const auto corner = ImGui::GetCursorScreenPos();
  const float gutter = 34.0F * scale;
  const double length = layout.end_ms - layout.start_ms;
  const Plot plot{{corner.x + gutter, corner.y},
                  std::max(ImGui::GetContentRegionAvail().x - gutter, 20.0F),
                  row_height(layout.rows.size(), scale),
                  layout.start_ms + window.from * length,
                  layout.start_ms + window.to * length};
  const float height = plot.row_height * static_cast<float>(layout.rows.size());
  ImGui::Dummy({gutter, 1.0F});
  ImGui::SetCursorScreenPos(plot.low);
  ImGui::InvisibleButton("plot", {plot.width, height + ImGui::GetTextLineHeight()});
  steer(window, plot);
  const bool hovered = ImGui::IsItemHovered();
  draw_rows(plot, layout, corner.x);
  draw_spans(plot, layout, timeline);
  if (hovered) help_under_cursor(plot, layout, timeline);
  draw_axis(plot, corner.y + height);
  return hovered || ImGui::IsItemActive();
}

void timeline_legend(const sim::Timeline& timeline, float scale) {
  const auto busy = TimelineLayout(timeline).busy_ms(timeline);
  const float size = ImGui::GetTextLineHeight();
  for (std::size_t k = 0; k < busy.size(); ++k) {
    if (busy[k] <= 0.0) continue;
    const auto low = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, low.y + 0.2F * size},
                                              {low.x + 0.6F * size, low.y + 0.8F * size}, colors.at(k));
    ImGui::Dummy({0.6F * size, size});
    ImGui::SameLine(0.0F, 5.0F * scale);
    ImGui::Text(
        "%s",
        fmt::format("{} {:.4g} ms", sim::activity_name(static_cast<sim::TimelineKind>(k)), busy[k]).c_str());
  }
}

}  // namespace orrery::app
