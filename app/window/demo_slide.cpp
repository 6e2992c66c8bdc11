#include "app/window/demo_slide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/gui/drawn_plot.h"
#include "app/gui/gui.h"
#include "app/gui/theme.h"
#include "app/session/session.h"

namespace orrery::app {

namespace {

/// Where the columns end, as parts of the width; the first begins at 0.
constexpr std::array<float, 2> column_ends{0.76F, 1.0F};

void right(ImVec2 end, const ImVec4& color, float size, const std::string& text) {
  auto* font = ImGui::GetFont();
  const float width = font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x;
  ImGui::GetWindowDrawList()->AddText(font, size, {end.x - width, end.y},
                                      ImGui::ColorConvertFloat4ToU32(color), text.c_str());
}

/// One line of the table.
void draw_row(const std::string& name, const std::string& value, const std::string& error,
              const ImVec4& color, float width, float height) {
  const float size = std::min(ImGui::GetFontSize(), 0.74F * height);
  const auto at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(ImGui::GetFont(), size, at, ImGui::ColorConvertFloat4ToU32(color),
                                      name.c_str());
  right({at.x + column_ends[0] * width, at.y}, color, size, value);
  right({at.x + column_ends[1] * width, at.y}, color, size, error);
  ImGui::Dummy({width, height - ImGui::GetStyle().ItemSpacing.y});
}

void draw_table(const DemoComparison& compared, float width, float room, WidgetMap& widgets) {
  const float lines = static_cast<float>(compared.rows().size() + 1);
  const float row = std::min(1.5F * ImGui::GetFontSize(), room / lines);
  draw_row("", compared.quantity(), "force error", card_colors::dim, width, row);
  for (std::size_t k = 0; k < compared.rows().size(); ++k) {
    const auto& each = compared.rows()[k];
    const bool ends = k == 0 || k + 1 == compared.rows().size();
    draw_row((each.label.empty() ? each.step : each.label) + (each.busy ? " (busy)" : ""),
             compared.text(each), short_error(each.error),
             each.busy ? card_colors::amber
             : ends    ? card_colors::bright
                       : card_colors::text,
             width, row);
    widgets.note("closing-row:" + each.step);
  }
}

/// The last over the first, or why nothing can be said.
void draw_factor(const DemoComparison& compared, WidgetMap& widgets) {
  const auto factor = compared.factor();
  if (factor.says() == lab::Factor::Says::unknown) return;
  const auto color = factor.says() == lab::Factor::Says::faster && !factor.is_rough() ? card_colors::green
                                                                                      : card_colors::amber;
  text_in(factor.counts() ? Gui::factor_font() : Gui::caption_font(), color, factor.text("\xC3\x97"));
  widgets.note("closing-factor");
  const auto& rows = compared.rows();
  ImGui::TextColored(card_colors::text, "%s",
                     fmt::format("from {} to {}", rows.front().label, rows.back().label).c_str());
  if (std::ranges::any_of(rows, &DemoResult::busy))
    ImGui::TextColored(card_colors::amber, "The machine was busy with other programs: measure again.");
}

/// The closing slide of a demonstration, over the left part of the picture, `width` units wide: what was
/// measured, and what the last step is over the first. `keys`: false in pictures. Needs a frame of Dear ImGui
/// under way.
void draw_closing(const DemoRun& run, float width, bool keys, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float unit = hall_scale({size.x, size.y});
  begin_card("##closing", {0.012F * size.x, 0.5F * size.y}, {0.0F, 0.5F}, {30.0F, 26.0F}, unit);
  width -= 20.0F * unit;
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
  text_in(Gui::caption_font(), card_colors::bright, run.step().caption);
  ImGui::PushFont(Gui::hall_font());
  const DemoComparison compared(run.results(), nullptr);
  draw_factor(compared, widgets);
  ImGui::Dummy({width, 0.4F * ImGui::GetFontSize()});
  draw_table(compared, width, 0.50F * size.y, widgets);
  ImGui::PopFont();
  if (keys) ImGui::TextColored(card_colors::dim, "Space ends     Esc takes over");
  ImGui::PopTextWrapPos();
  widgets.note(fmt::format("demo-step:{}", run.step().name));
  end_card();
}

// Parts of the picture's width and height.
constexpr float chart_width = 0.27F, plot_width = 0.40F, last_width = 0.50F;
constexpr float margin = 0.012F, chart_top = 0.10F, chart_height = 0.56F;

float width_of(const DemoRun& run) {
  if (!run.playing()) return 0.0F;
  if (run.step().closing) return last_width;
  switch (run.plot()) {
    case DemoPlot::rates:
      return chart_width;
    case DemoPlot::board:
    case DemoPlot::energy:
      return plot_width;
    case DemoPlot::automatic:
    case DemoPlot::none:
      break;
  }
  return 0.0F;
}

/// A row of the chart.
struct Bar {
  std::string label, value;
  float length = 0.0F;            ///< 0 to 1
  float low = 0.0F, high = 0.0F;  ///< ends of the whisker
  ImVec4 color;
};

Bar bar_of(const DemoComparison& compared, const DemoResult& row, bool newest) {
  const auto length = static_cast<float>(compared.length(row));
  const auto color = row.busy ? card_colors::amber : newest ? card_colors::green : card_colors::blue;
  return {.label = row.label.empty() ? row.step : row.label,
          .value = compared.text(row),
          .length = length,
          .low = length * static_cast<float>(row.spread.low),
          .high = length * static_cast<float>(row.spread.high),
          .color = color};
}

/// The present step before its rate is known: how far a long evaluation is.
Bar bar_under_way(const DemoRun& run, DemoRun::Clock::time_point now) {
  constexpr double noticeable = 1.0;
  const double part = run.part_done(), waits = run.standing_still(now);
  std::string value = "measuring";
  if (part > 0.0 && waits > noticeable)
    value = fmt::format("{:.0f} %", 100.0 * part);
  else if (waits > noticeable)
    value = fmt::format("{:.0f} s so far", waits);
  return {.label = run.step().label,
          .value = value,
          .length = waits > noticeable ? static_cast<float>(part) : 0.0F,
          .color = {0.55F, 0.58F, 0.64F, 1.0F}};
}

DemoComparison comparison_of(const DemoRun& run) {
  return DemoComparison(run.results(), run.present() ? &*run.present() : nullptr);
}

std::vector<Bar> bars_of(const DemoRun& run, const DemoComparison& compared, DemoRun::Clock::time_point now) {
  std::vector<Bar> bars;
  const bool measured = !compared.rows().empty() && compared.rows().back().step == run.step().name;
  for (std::size_t k = 0; k < compared.rows().size(); ++k)
    bars.push_back(bar_of(compared, compared.rows()[k], measured && k + 1 == compared.rows().size()));
  if (run.step().measured && !measured && run.refusal().empty()) bars.push_back(bar_under_way(run, now));
  return bars;
}

/// Label and value on a line, the bar below them.
void draw_bar(const Bar& bar, ImVec2 corner, float width, float row) {
  auto& list = *ImGui::GetWindowDrawList();
  auto* font = ImGui::GetFont();
  const float size = std::min(ImGui::GetFontSize(), 0.52F * row);
  const auto value = font->CalcTextSizeA(size, FLT_MAX, 0.0F, bar.value.c_str());
  list.AddText(font, size, corner, ImGui::ColorConvertFloat4ToU32(card_colors::text), bar.label.c_str());
  list.AddText(font, size, {corner.x + width - value.x, corner.y},
               ImGui::ColorConvertFloat4ToU32(card_colors::bright), bar.value.c_str());
  const float top = corner.y + 1.2F * size, height = 0.26F * row, middle = top + 0.5F * height;
  list.AddRectFilled({corner.x, top}, {corner.x + width, top + height}, IM_COL32(255, 255, 255, 22), 3.0F);
  // The longest leaves room for its whisker.
  const float full = 0.94F * width;
  const float end = std::max(std::clamp(bar.length, 0.0F, 1.0F) * full, 0.004F * width);
  list.AddRectFilled({corner.x, top}, {corner.x + end, top + height},
                     ImGui::ColorConvertFloat4ToU32(bar.color), 3.0F);
  if (bar.high <= bar.low) return;
  const auto white = IM_COL32(255, 255, 255, 190);
  list.AddLine({corner.x + bar.low * full, middle}, {corner.x + std::min(bar.high * full, width), middle},
               white, std::max(0.06F * height, 1.0F));
}

void draw_bars(const DemoComparison& compared, const std::vector<Bar>& bars, float width, float height,
               WidgetMap& widgets) {
  ImGui::TextColored(card_colors::dim, "%s", compared.quantity().c_str());
  const float size = ImGui::GetFontSize();
  const float row = std::min(
      2.3F * size, (height - 1.6F * size) / static_cast<float>(std::max<std::size_t>(bars.size(), 1)));
  for (const auto& bar : bars) {
    const auto corner = ImGui::GetCursorScreenPos();
    draw_bar(bar, corner, width, row);
    ImGui::Dummy({width, row - ImGui::GetStyle().ItemSpacing.y});
    widgets.note("demo-bar:" + bar.label);
  }
  if (std::ranges::any_of(compared.rows(), &DemoResult::busy))
    ImGui::TextColored(card_colors::amber, "machine busy: rates are rough");
}

/// A bar for the step that has no dot yet.
void draw_way_to_dot(const DemoRun& run, float width, WidgetMap& widgets, DemoRun::Clock::time_point now) {
  const float row = 2.3F * ImGui::GetFontSize();
  draw_bar(bar_under_way(run, now), ImGui::GetCursorScreenPos(), width, row);
  ImGui::Dummy({width, row});
  widgets.note("demo-bar:" + run.step().label);
}

void draw_board(const DemoRun& run, ImVec2 room, WidgetMap& widgets, DemoRun::Clock::time_point now) {
  const auto plot = board_of(run.results(), run.present() ? &*run.present() : nullptr);
  if (run.step().measured && !run.present() && run.refusal().empty())
    draw_way_to_dot(run, room.x, widgets, now);
  if (!lab::has_dots(plot)) {
    ImGui::TextColored(card_colors::dim, "The first dot comes with the first step.");
    return;
  }
  const auto panel = lab::accuracy_speed_panel(plot);
  draw_dots(panel, room, DotNames::all);
  for (const auto& line : panel.lines)
    for (const auto& label : line.labels) widgets.note("demo-dot:" + label);
}

plots::Panel energy_panel(const DemoRun& run, const Session& session) {
  const auto& units = session.scene().units;
  constexpr double year = 365.25 * 86400.0;
  const double scale = units.time > 0.0 ? units.time / year : 1.0;
  plots::Panel panel;
  std::vector<double> times{0.0}, errors;
  for (std::size_t k = 0; k < run.energy().size(); ++k) {
    const auto& curve = run.energy()[k];
    plots::Line line{
        .name = curve.label, .points = {}, .color = plots::distinct(k == 0 ? 5 : 2), .width = 3.0};
    for (const auto& point : curve.points) {
      line.points.push_back({scale * point.x, point.y});
      times.push_back(scale * point.x), errors.push_back(point.y);
    }
    panel.lines.push_back(std::move(line));
  }
  panel.x = plots::fitted(units.time > 0.0 ? "years" : "time", plots::Scale::linear, times);
  panel.y = plots::fitted("relative error", plots::Scale::logarithmic, errors, 0.08);
  return panel;
}

void draw_energy(const DemoRun& run, const Session& session, ImVec2 room, WidgetMap& widgets) {
  ImGui::TextColored(card_colors::text, "Error of the energy");
  const auto panel = energy_panel(run, session);
  draw_curves(panel, room);
  for (const auto& line : panel.lines)
    if (!line.points.empty()) widgets.note("demo-energy:" + line.name);
}

/// Plots take their colours from the theme, which may be light.
void push_dark_colors() {
  ImGui::PushStyleColor(ImGuiCol_FrameBg, {0.15F, 0.18F, 0.25F, 0.85F});
  ImGui::PushStyleColor(ImGuiCol_TextDisabled, card_colors::dim);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, {0.03F, 0.04F, 0.07F, 1.0F});
}

}  // namespace

float demo_covers(const DemoRun& run, glm::vec2 size) {
  const float width = width_of(run);
  return width > 0.0F ? (width + margin) * size.x : 0.0F;
}

void draw_demo_slide(const DemoRun& run, const Session& session, bool keys, WidgetMap& widgets,
                     DemoRun::Clock::time_point now) {
  const float part = width_of(run);
  if (part <= 0.0F) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float unit = hall_scale({size.x, size.y});
  const ImVec2 padding{20.0F, 16.0F};
  const float width = part * size.x - 2.0F * padding.x * unit;
  if (run.step().closing) return draw_closing(run, width, keys, widgets);
  const bool has_bars = run.plot() == DemoPlot::rates;
  const auto compared = has_bars ? comparison_of(run) : DemoComparison({}, nullptr);
  const auto bars = has_bars ? bars_of(run, compared, now) : std::vector<Bar>();
  // An introduction measures nothing yet. The room of the chart stays empty, so that nothing jumps later.
  if (has_bars && bars.empty()) return;
  begin_card("##demo-plot", {margin * size.x, chart_top * size.y}, {0.0F, 0.0F}, padding, unit);
  ImGui::PushFont(Gui::hall_font());
  push_dark_colors();
  ImGui::Dummy({width, 0.0F});
  const ImVec2 room{width, chart_height * size.y};
  if (has_bars) draw_bars(compared, bars, width, room.y, widgets);
  if (run.plot() == DemoPlot::board) draw_board(run, room, widgets, now);
  if (run.plot() == DemoPlot::energy) draw_energy(run, session, room, widgets);
  ImGui::PopStyleColor(3);
  ImGui::PopFont();
  end_card();
}

}  // namespace orrery::app
