#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/gui.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

/// Four significant digits, without exponent where it can be avoided.
std::string rate_text(double value) {
  if (value >= 1000.0) return fmt::format("{:.0f}", value);
  return value > 0.0 && value < 1e-3 ? fmt::format("{:.1e}", value) : fmt::format("{:#.4g}", value);
}

/// A large number with what it is, and its history beside it.
void rate(const char* label, double value, const lab::History& history, float scale, const char* meaning) {
  ImGui::BeginGroup();
  ImGui::TextDisabled("%s", label);
  const float plot_start = ImGui::GetCursorPosX() + 105.0F * scale;
  ImGui::PushFont(Gui::large_font());
  ImGui::TextUnformatted(rate_text(value).c_str());
  ImGui::PopFont();
  ImGui::SameLine(plot_start);
  const int offset = history.count < lab::History::capacity ? 0 : history.next;
  ImGui::PushID(label);
  // Negative widths mean nothing to plots.
  const ImVec2 size{std::max(ImGui::GetContentRegionAvail().x, 20.0F), 30.0F * scale};
  ImGui::PlotLines("##history", history.values.data(), history.count, offset, nullptr, 0.0F,
                   history.largest() * 1.1F + 1e-6F, size);
  ImGui::PopID();
  ImGui::EndGroup();
  tooltip(meaning);
}

void stage(const char* name, double milliseconds) {
  ImGui::TableNextColumn();
  ImGui::TextDisabled("%s", name);
  ImGui::TableNextColumn();
  ImGui::Text("%s", fmt::format("{:.2f}", milliseconds).c_str());
}

void stages(const PanelContext& context) {
  const auto& frame = context.session.frame();
  if (!ImGui::BeginTable("stages", 4)) return;
  stage("forces", frame.timings.force_ms);
  stage("draw", context.times.draw_ms);
  stage("update", frame.timings.update_ms);
  stage("panel", context.times.panel_ms);
  stage("publish", frame.timings.publish_ms);
  stage("show", context.times.swap_ms);
  stage("step", frame.step_ms);
  stage("frame", context.times.total_ms);
  ImGui::EndTable();
  tooltip(
      "Milliseconds. A step of the simulation (left) is the force evaluation, the update of the bodies and "
      "handing "
      "them over for drawing; frames of the window (right) are drawn independently of steps.");
  ImGui::TextDisabled("%s", fmt::format("milliseconds; {:.1f} steps/s, {:.0f} frames/s",
                                        context.session.rates().steps_per_second(),
                                        context.times.total_ms > 0.0 ? 1000.0 / context.times.total_ms : 0.0)
                                .c_str());
  if (context.times.drawn_by.empty()) return;
  ImGui::PushTextWrapPos();
  ImGui::TextDisabled("%s", fmt::format("drawn by {}", context.times.drawn_by).c_str());
  ImGui::PopTextWrapPos();
  tooltip("Point sprites or a compute shader: see splatting under Display.");
}

void draw(PanelContext& context) {
  const auto& rates = context.session.rates();
  rate("GInteractions/s, kernel", rates.kernel_gips(), rates.kernel_history(), context.scale,
       "Interactions of one force evaluation (N^2 for each galaxy) over the time of that evaluation alone. "
       "The "
       "curve: its history, from 0.");
  rate("GInteractions/s, whole frame", rates.frame_gips(), rates.frame_history(), context.scale,
       "All interactions computed over the time that passed: forces, updates, publishing, drawing and "
       "waiting. "
       "The curve: its history, from 0.");
  stages(context);
}

}  // namespace

extern const Panel rates_panel{"Performance", true, draw};

}  // namespace orrery::app
