#include <imgui.h>

#include <string>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

/// Switches of components that the dataset does not have.
bool shows_nothing(const PanelContext& context, const sim::Option& option) {
  for (std::size_t i = 0; i < sim::component_count; ++i) {
    const auto name = sim::component_name(static_cast<sim::Component>(i));
    if (option.name == "show-" + std::string(name)) return context.session.summary().components.at(i) == 0;
  }
  return false;
}

void draw(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  if (ImGui::Button("Picture")) context.take_screenshot(false);
  context.widgets.note("picture");
  tooltip("Takes a picture without the panel. Keys: Ctrl+F12; F12 with the panel.");
  ImGui::SameLine();
  if (ImGui::Button("Fit view")) context.fit_camera();
  context.widgets.note("fit");
  tooltip("Moves the camera so that 95 % of the bodies show. Key: Home.");
  ImGui::SameLine();
  if (ImGui::Button("Adapt colours")) context.session.adapt_color_range();
  tooltip("Fits the ends of the colour bar to the bodies as they are now. Key: R.");
  option_group(context, "display", shows_nothing);
  option_group(context, "overlay");
  ImGui::Separator();
  ImGui::TextUnformatted("Trails, ellipses, names");
  option_group(context, "trails");
}

}  // namespace

extern const Panel display_panel{"Display", false, draw};

}  // namespace orrery::app
