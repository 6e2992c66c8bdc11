#include "app/window/plot_dock.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/gui/curve_plot.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/named_widgets.h"

namespace orrery::app {

namespace {

/// Small words at the right end of the line.
bool word(const char* text, const std::string& id, WidgetMap& widgets) {
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.3F * ImGui::GetFontSize(), 0.0F});
  const bool pressed = ImGui::SmallButton((std::string(text) + "##" + id).c_str());
  ImGui::PopStyleVar();
  widgets.note(id);
  return pressed;
}

/// So many words with their frames and the gaps between them.
float width_of_words(const char* letters, int count) {
  const auto words = static_cast<float>(count);
  return ImGui::CalcTextSize(letters).x + (words * 0.6F + (words - 1.0F) * 0.25F) * ImGui::GetFontSize();
}

/// Heights, in window units.
struct Rows {
  float plot, gap, window;
};

/// All plots of one height. The column ends below the last one, or is scrolled.
Rows rows_for(std::size_t plots, float most, const std::string& note) {
  const auto& style = ImGui::GetStyle();
  const float unit = ImGui::GetFontSize(), gap = 0.3F * unit, count = static_cast<float>(plots);
  const float line = note.empty() ? 0.0F : ImGui::GetTextLineHeightWithSpacing();
  const float around = 2.0F * style.WindowPadding.y + line;
  const float between = gap + 2.0F * style.ItemSpacing.y;
  const float height = std::clamp((most - around) / count - between, 11.0F * unit, 19.0F * unit);
  return {height, gap, std::min(most, around + count * (height + between))};
}

}  // namespace

void PlotDock::update(const Session& session, const std::vector<std::string>& names) {
  if (!names.empty()) feed_.update(session);
}

std::optional<PlotDock::Saving> PlotDock::take_saving() { return std::exchange(saving_, std::nullopt); }

std::string PlotDock::note() const { return lab::sample_text(feed_.log()); }

void PlotDock::save_words(const lab::DiagnosticPlot& plot, float at, bool known, WidgetMap& widgets) {
  const std::string name(plot.name);
  ImGui::SameLine(at);
  ImGui::BeginDisabled(!known);
  if (word("SVG", "plot-svg:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = false};
  ImGui::SameLine(0.0F, 0.25F * ImGui::GetFontSize());
  if (word("CSV", "plot-csv:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = true};
  ImGui::EndDisabled();
}

/// False: it is to be closed.
bool PlotDock::plot(const lab::DiagnosticPlot& plot, float height, WidgetMap& widgets) {
  const std::string name(plot.name);
  const float top = ImGui::GetCursorPosY();
  ImGui::TextUnformatted(std::string(plot.title).c_str());
  widgets.note("plot:" + name);
  const float title = ImGui::GetItemRectSize().x;
  tooltip(std::string(plot.meaning));
  const auto panel = plot.draw(feed_.log());
  const bool known = lab::has_points(panel);
  if (known) widgets.note("plot-known:" + name);
  // Where the title takes their place only the last word is there.
  const float end = line_end();
  if (title + width_of_words("SVGCSVx", 3) < line_width())
    save_words(plot, end - width_of_words("SVGCSVx", 3), known, widgets);
  ImGui::SameLine(end - width_of_words("x", 1));
  const bool closed = word("x", "plot-close:" + name, widgets);
  const float room = height - (ImGui::GetCursorPosY() - top);
  draw_curves(panel, {ImGui::GetContentRegionAvail().x, room});
  ImGui::SetCursorPosY(top + height);
  return !closed;
}

float PlotDock::draw(std::vector<std::string>& names, float left, float top, float scale,
                     WidgetMap& widgets) {
  std::erase_if(names, [](const auto& name) { return lab::find_diagnostic_plot(name) == nullptr; });
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = 10.0F * scale;
  const float width = std::min(330.0F * scale, 0.45F * (size.x - left));
  if (names.empty() || width < 150.0F * scale) return left;
  const float corner = left > 0.0F ? left + 0.6F * margin : margin;
  const auto rows = rows_for(names.size(), std::max(size.y - top - margin, 32.0F), note());
  ImGui::SetNextWindowPos({corner, top});
  ImGui::SetNextWindowSize({width, rows.window});
  constexpr auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                         ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing;
  if (ImGui::Begin("Plots##dock", nullptr, flags)) {
    std::string closed;
    for (const auto& name : names) {
      ImGui::PushID(name.c_str());
      if (!plot(*lab::find_diagnostic_plot(name), rows.plot, widgets)) closed = name;
      ImGui::Dummy({1.0F, rows.gap});
      ImGui::PopID();
    }
    if (const auto text = note(); !text.empty()) ImGui::TextDisabled("%s", text.c_str());
    std::erase(names, closed);
  }
  ImGui::End();
  return corner + width;
}

}  // namespace orrery::app
