#include <imgui.h>

#include <algorithm>

#include "app/gui/drawn_plot.h"
#include "app/live/switching.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

/// For the room: over the view, until it is closed.
void large_plot(PanelContext& context, const plots::Panel& panel) {
  auto& open = context.switching.accuracy_speed_is_large;
  if (!open) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float left = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
  const float width = std::max(0.86F * (size.x - left), 100.0F), height = std::max(0.6F * size.y, 100.0F);
  ImGui::SetNextWindowPos({0.5F * (left + size.x), 0.56F * size.y}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({width, height}, ImGuiCond_Appearing);
  ImGui::SetNextWindowBgAlpha(0.94F);
  if (ImGui::Begin("Accuracy and speed##large", &open,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    const auto room = ImGui::GetContentRegionAvail();
    const float text = 2.4F * ImGui::GetTextLineHeightWithSpacing();
    tooltip(draw_dots(panel, {room.x, std::max(room.y - text, 20.0F)}));
    context.widgets.note("large-accuracy-speed");
  }
  ImGui::End();
}

void draw_accuracy_speed(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  auto& switching = context.switching;
  const auto plot = switching.accuracy_speed(context.session);
  if (!lab::has_dots(plot)) {
    ImGui::TextDisabled("waiting for the first median and the first check");
    return;
  }
  const auto panel = lab::accuracy_speed_panel(plot);
  const float width = std::max(ImGui::GetContentRegionAvail().x, 20.0F);
  tooltip(draw_dots(panel, {width, 0.72F * width}));
  for (const auto& line : panel.lines) {
    for (const auto& label : line.labels) context.widgets.note("dot:" + label);
  }
  auto& widgets = context.widgets;
  if (named_button(widgets, "save-accuracy-speed", "Save as SVG",
                   "Saves the plot for paper, into the pictures folder."))
    context.actions.save_accuracy_speed();
  ImGui::SameLine();
  if (named_button(widgets, "accuracy-speed-large", "Large"))
    switching.accuracy_speed_is_large = !switching.accuracy_speed_is_large;
  ImGui::SameLine();
  named_checkbox(widgets, "plot-published", "published", switching.shows_published,
                 "Published speeds of other codes, with their cards and numbers of bodies, as times for this "
                 "dataset. Codes without a stated error are at the top. Other tree codes, measured beside "
                 "ours, are shown for datasets of about their size.");
  large_plot(context, panel);
}

}  // namespace

/// Error against time, one dot for each configuration that was tried.
extern const Panel accuracy_speed_panel{"Accuracy and speed", false, draw_accuracy_speed, PanelTab::measure};

}  // namespace orrery::app
