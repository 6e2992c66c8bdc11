#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/drawn_plot.h"
#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/bench/rates.h"
#include "render/color_maps/color_map.h"

namespace orrery::app {

namespace {

std::string cell_name(const lab::Sweep& sweep, std::size_t row, std::size_t column) {
  return fmt::format("{}={} {}={}", sweep.rows.option, sim::to_string(sweep.rows.values[row]),
                     sweep.columns.option, sim::to_string(sweep.columns.values[column]));
}

struct Shade {
  ImU32 fill, text;
};

/// 0 for the slowest, 1 for the fastest.
ImU32 share_color(double part) {
  static const auto* map = render::find_color_map("dusk");
  const auto color = map->evaluate_srgb(static_cast<float>(0.25 + 0.6 * part));
  return ImGui::ColorConvertFloat4ToU32({color.r, color.g, color.b, 1.0F});
}

/// Dark for the slowest, bright for the fastest.
Shade shade(const LiveSweep& live, double gips) {
  const double range = live.fastest() - live.slowest();
  const double part = range > 0.0 ? (gips - live.slowest()) / range : 1.0;
  return {share_color(part), part > 0.6 ? IM_COL32(10, 10, 10, 255) : IM_COL32(245, 245, 245, 255)};
}

void hatch(ImDrawList& canvas, ImVec2 low, ImVec2 high) {
  canvas.PushClipRect(low, high, true);
  constexpr float gap = 6.0F;
  const float height = high.y - low.y;
  const int lines = static_cast<int>((high.x - low.x + height) / gap) + 1;
  for (int k = 0; k < lines; ++k) {
    const float x = low.x - height + gap * static_cast<float>(k);
    canvas.AddLine({x, high.y}, {x + height, low.y}, hatch_color());
  }
  canvas.PopClipRect();
}

/// "87 % of the best", where the measurements tell the two apart.
std::string beside_the_best(const lab::SweepCell& cell, const lab::SweepCell& best) {
  if (&cell == &best) return "the best";
  const lab::Factor factor(best.speed, cell.speed);
  if (factor.counts())
    return fmt::format("{:.0f} % of the best", 100.0 * cell.speed.median / best.speed.median);
  return factor.says() == lab::Factor::Says::machine_busy
             ? "measured while other programs used the cores"
             : "as fast as the best, as far as the measurements tell";
}

std::string cell_help(const lab::Sweep& sweep, const lab::SweepCell& cell, const std::string& name) {
  if (!cell.refusal.empty()) return fmt::format("{}\n\nNot possible: {}", name, cell.refusal);
  if (!cell.measured) return name + "\n\nNot measured yet. A click sets these options.";
  return fmt::format("{}\n\n{} GInteractions/s in the kernel, {}. A click sets these options.", name,
                     lab::rate_text(cell.speed.median), beside_the_best(cell, *sweep.best()));
}

void draw_cell(const LiveSweep& live, const lab::SweepCell& cell, ImVec2 low, ImVec2 high, bool runs) {
  auto& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(low, high, empty_color());
  if (!cell.refusal.empty()) return hatch(canvas, low, high);
  if (cell.measured) {
    const auto colors = shade(live, cell.speed.median);
    canvas.AddRectFilled(low, high, colors.fill);
    const auto text = lab::rate_text(cell.speed.median, 3);
    const auto extent = ImGui::CalcTextSize(text.c_str());
    canvas.AddText({0.5F * (low.x + high.x - extent.x), 0.5F * (low.y + high.y - extent.y)}, colors.text,
                   text.c_str());
  }
  if (&cell == live.sweep()->best()) canvas.AddRect(low, high, outline_color(), 0.0F, 0, 2.0F);
  if (runs) canvas.AddRect(low, high, IM_COL32(255, 190, 80, 255), 0.0F, 0, 2.0F);
}

/// Returns true if the cell was clicked.
bool cell_widget(PanelContext& context, std::size_t row, std::size_t column, ImVec2 size) {
  const auto& live = context.laboratory.sweep;
  const auto& experiment = context.laboratory.experiment;
  const auto& sweep = *live.sweep();
  const auto& cell = sweep.cell(row, column);
  const auto index = static_cast<std::size_t>(&cell - sweep.cells.data());
  const auto low = ImGui::GetCursorScreenPos();
  ImGui::PushID(static_cast<int>(index));
  const bool clicked = ImGui::InvisibleButton("cell", size);
  ImGui::PopID();
  if (context.widgets.enabled()) {
    context.widgets.note("cell:" + cell_name(sweep, row, column));
    if (cell.measured) context.widgets.note("measured:" + cell_name(sweep, row, column));
  }
  const bool runs = experiment.running_for(&live) && experiment.live().current() == index;
  draw_cell(live, cell, low, {low.x + size.x - 1.0F, low.y + size.y - 1.0F}, runs);
  if (ImGui::IsItemHovered()) tooltip(cell_help(sweep, cell, cell_name(sweep, row, column)));
  return clicked && cell.refusal.empty();
}

/// Which colour is which rate, once two rates are known.
void color_axis(const LiveSweep& live, float scale) {
  if (!(live.fastest() > live.slowest())) return;
  constexpr int steps = 48;
  const auto corner = ImGui::GetCursorScreenPos();
  const float width = std::max(ImGui::GetContentRegionAvail().x, 20.0F), height = 8.0F * scale;
  auto& canvas = *ImGui::GetWindowDrawList();
  for (int k = 0; k < steps; ++k) {
    const auto edge = [&](int at) { return corner.x + width * static_cast<float>(at) / steps; };
    canvas.AddRectFilled({edge(k), corner.y}, {edge(k + 1), corner.y + height},
                         share_color((k + 0.5) / steps));
  }
  draw_x_axis(canvas, {.low = live.slowest(), .high = live.fastest()}, {corner.x, corner.y + height}, width);
  ImGui::Dummy({width, height + ImGui::GetTextLineHeight() + 4.0F * scale});
}

float widest(const std::vector<sim::OptionValue>& values) {
  float width = 0.0F;
  for (const auto& value : values)
    width = std::max(width, ImGui::CalcTextSize(sim::to_string(value).c_str()).x);
  return width;
}

void column_heads(const lab::Sweep& sweep, float left, float width) {
  ImGui::Dummy({1.0F, ImGui::GetTextLineHeight()});
  for (std::size_t column = 0; column < sweep.column_count(); ++column) {
    const auto text = sim::to_string(sweep.columns.values[column]);
    const float extent = ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SameLine(left + static_cast<float>(column) * width + std::max(0.5F * (width - extent), 0.0F));
    ImGui::TextDisabled("%s", text.c_str());
  }
}

/// The clicked cell, if one was.
std::optional<std::size_t> heat_map(PanelContext& context) {
  const auto& sweep = *context.laboratory.sweep.sweep();
  const float scale = context.scale;
  const float left = widest(sweep.rows.values) + 10.0F * scale;
  const auto columns = static_cast<float>(sweep.column_count());
  const float least = std::max(46.0F * scale, widest(sweep.columns.values) + 8.0F * scale);
  const float width = std::max((ImGui::GetContentRegionAvail().x - left) / columns, least);
  const float height = ImGui::GetTextLineHeight() + 8.0F * scale;
  const float rows = static_cast<float>(sweep.row_count());
  const bool scrolls = left + columns * width > ImGui::GetContentRegionAvail().x + 1.0F;
  const float total = rows * height + ImGui::GetTextLineHeight() + 4.0F * scale +
                      (scrolls ? ImGui::GetStyle().ScrollbarSize : 0.0F);
  std::optional<std::size_t> clicked;
  ImGui::BeginChild("map", {0.0F, total}, false, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  column_heads(sweep, left, width);
  for (std::size_t row = 0; row < sweep.row_count(); ++row) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextDisabled("%s", sim::to_string(sweep.rows.values[row]).c_str());
    for (std::size_t column = 0; column < sweep.column_count(); ++column) {
      ImGui::SameLine(left + static_cast<float>(column) * width);
      if (cell_widget(context, row, column, {width, height})) clicked = row * sweep.column_count() + column;
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
  return clicked;
}

std::string label_in(const PanelContext& context, const std::string& option) {
  return sim::label_of(context.session.table().at(option));
}

void choose_option(PanelContext& context, const char* label, std::string& chosen) {
  // Another engine has other options.
  if (!chosen.empty() && !LiveSweep::is_candidate(context.session, context.session.table().at(chosen)))
    chosen.clear();
  const auto shown = chosen.empty() ? "choose" : label_in(context, chosen);
  row_label(std::string(label) == "rows" ? "Rows" : "Columns");
  const auto name = std::string("sweep-") + label;
  if (!begin_named_list(context.widgets, name, shown)) return;
  for (const auto& option : context.session.table().options()) {
    if (!LiveSweep::is_candidate(context.session, option)) continue;
    if (named_entry(context.widgets, name + "=" + option.name, widget_text(option), option.name == chosen,
                    fmt::format("{}\nName: {}", option.meaning, option.name)))
      chosen = option.name;
  }
  ImGui::EndCombo();
}

void start_button(PanelContext& context) {
  auto& live = context.laboratory.sweep;
  auto& experiment = context.laboratory.experiment;
  if (experiment.running_for(&live)) {
    if (named_button(context.widgets, "sweep-stop", "Stop")) experiment.stop(context.session);
    ImGui::SameLine();
    ImGui::Text("%s",
                fmt::format("{} of {}", std::min(experiment.live().current() + 1, live.sweep()->cells.size()),
                            live.sweep()->cells.size())
                    .c_str());
    return;
  }
  ImGui::BeginDisabled(!live.can_start() || !context.session.has_dataset());
  if (named_button(context.widgets, "sweep-start", "Measure",
                   "Measures every combination of the two options, for half a second each. Pause and speed "
                   "limit are lifted meanwhile and restored afterwards."))
    live.start(context.session, experiment);
  ImGui::EndDisabled();
}

void draw_sweep(PanelContext& context) {
  auto& live = context.laboratory.sweep;
  choose_option(context, "rows", live.rows);
  choose_option(context, "columns", live.columns);
  start_button(context);
  if (!live.sweep()) return;
  const auto& sweep = *live.sweep();
  wrapped_text(dim_color(),
               fmt::format("GInteractions/s of the kernel. Rows: {}. Columns: {}.",
                           label_in(context, sweep.rows.option), label_in(context, sweep.columns.option)));
  const auto clicked = heat_map(context);
  color_axis(live, context.scale);
  if (clicked) live.apply(context.session, context.laboratory.experiment, *clicked);
}

}  // namespace

extern const Panel sweep_panel{"Sweep", false, draw_sweep, PanelTab::measure};

}  // namespace orrery::app
