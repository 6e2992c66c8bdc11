#include <fmt/format.h>
#include <imgui.h>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void large_number(const char* label, double value, const char* meaning) {
  ImGui::SetWindowFontScale(1.7F);
  ImGui::Text("%s", fmt::format("{:.4f}", value).c_str());
  ImGui::SetWindowFontScale(1.0F);
  tooltip(meaning);
  ImGui::SameLine();
  ImGui::TextDisabled("%s", label);
}

void plot(const char* id, const History& history, float scale) {
  const int offset = history.count < History::capacity ? 0 : history.next;
  ImGui::PlotLines(id, history.values.data(), history.count, offset, nullptr, 0.0F,
                   history.largest() * 1.1F + 1e-6F, {-1.0F, 40.0F * scale});
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
  stage("whole step", frame.step_ms);
  stage("whole frame", context.times.total_ms);
  ImGui::EndTable();
  ImGui::TextDisabled("%s", fmt::format("milliseconds; {:.1f} steps/s, {:.0f} frames/s",
                                        context.session.rates().steps_per_second(),
                                        context.times.total_ms > 0.0 ? 1000.0 / context.times.total_ms : 0.0)
                                .c_str());
}

void draw(PanelContext& context) {
  const auto& rates = context.session.rates();
  large_number(
      "GInteractions/s, kernel", rates.kernel_gips(),
      "Interactions of one force evaluation (N^2 for each galaxy) over the time of that evaluation alone.");
  plot("##kernel", rates.kernel_history(), context.scale);
  large_number("GInteractions/s, whole frame", rates.frame_gips(),
               "All interactions computed over the time that passed: forces, updates, publishing, drawing "
               "and waiting.");
  plot("##frame", rates.frame_history(), context.scale);
  stages(context);
}

}  // namespace

extern const Panel rates_panel{"Speed", true, draw};

}  // namespace orrery::app
