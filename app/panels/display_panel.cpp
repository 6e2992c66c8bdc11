#include <imgui.h>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void draw(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  if (ImGui::Button("Picture")) context.take_screenshot(false);
  context.widgets.note("picture");
  tooltip("Write a picture without the panel (Ctrl+F12; F12 with the panel)");
  ImGui::SameLine();
  if (ImGui::Button("Fit view")) context.fit_camera();
  context.widgets.note("fit");
  tooltip("Show 95 % of the bodies (Home)");
  ImGui::SameLine();
  if (ImGui::Button("Adapt colours")) context.session.adapt_color_range();
  tooltip("Fit the colour range to the bodies as they are now (R)");
  option_group(context, "display");
}

}  // namespace

extern const Panel display_panel{"Display", false, draw};

}  // namespace orrery::app
