#include "app/window/plot_dock.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

#include "app/gui/curve_plot.h"

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

float width_of_words() {
  // Three words with their frames, two gaps.
  return ImGui::CalcTextSize("SVGCSVx").x + (3 * 0.6F + 2 * 0.25F) * ImGui::GetFontSize();
}

}  // namespace

void PlotDock::update(const Session& session, const std::vector<std::string>& names) {
  if (!names.empty()) feed_.update(session);
}

std::optional<PlotDock::Saving> PlotDock::take_saving() { return std::exchange(saving_, std::nullopt); }

/// False: it is to be closed.
bool PlotDock::plot(const lab::DiagnosticPlot& plot, float height, WidgetMap& widgets) {
  const std::string name(plot.name);
  const float top = ImGui::GetCursorPosY();
  ImGui::TextUnformatted(std::string(plot.title).c_str());
  widgets.note("plot:" + name);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", std::string(plot.meaning).c_str());
  const auto panel = plot.draw(feed_.log());
  const bool known = lab::has_points(panel);
  if (known) widgets.note("plot-known:" + name);
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - width_of_words());
  ImGui::BeginDisabled(!known);
  if (word("SVG", "plot-svg:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = false};
  ImGui::SameLine(0.0F, 0.25F * ImGui::GetFontSize());
  if (word("CSV", "plot-csv:" + name, widgets)) saving_ = {.plot = &plot, .as_csv = true};
  ImGui::EndDisabled();
  ImGui::SameLine(0.0F, 0.25F * ImGui::GetFontSize());
  const bool closed = word("x", "plot-close:" + name, widgets);
  const float room = height - (ImGui::GetCursorPosY() - top);
  draw_curves(panel, {ImGui::GetContentRegionAvail().x, room});
  ImGui::SetCursorPosY(top + height);
  return !closed;
}

float PlotDock::draw(std::vector<std::string>& names, float left, float scale, WidgetMap& widgets) {
  std::erase_if(names, [](const auto& name) { return lab::find_diagnostic_plot(name) == nullptr; });
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = 10.0F * scale;
  const float width = std::min(330.0F * scale, 0.45F * (size.x - left));
  if (names.empty() || width < 150.0F * scale) return left;
  const float corner = left > 0.0F ? left + 0.6F * margin : margin;
  ImGui::SetNextWindowPos({corner, margin});
  ImGui::SetNextWindowSize({width, std::max(size.y - 2.0F * margin, 32.0F)});
  constexpr auto flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar |
                         ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings |
                         ImGuiWindowFlags_NoFocusOnAppearing;
  if (ImGui::Begin("Plots##dock", nullptr, flags)) {
    const auto note = lab::sample_text(feed_.log());
    const float line = note.empty() ? 0.0F : ImGui::GetTextLineHeightWithSpacing();
    const float gap = 0.3F * ImGui::GetFontSize();
    const float between = gap + 2.0F * ImGui::GetStyle().ItemSpacing.y;
    const float each = (ImGui::GetContentRegionAvail().y - line) / static_cast<float>(names.size()) - between;
    const float height = std::clamp(each, 11.0F * ImGui::GetFontSize(), 19.0F * ImGui::GetFontSize());
    std::string closed;
    for (const auto& name : names) {
      ImGui::PushID(name.c_str());
      if (!plot(*lab::find_diagnostic_plot(name), height, widgets)) closed = name;
      ImGui::Dummy({1.0F, gap});
      ImGui::PopID();
    }
    if (!note.empty()) ImGui::TextDisabled("%s", note.c_str());
    std::erase(names, closed);
  }
  ImGui::End();
  return corner + width;
}

}  // namespace orrery::app
