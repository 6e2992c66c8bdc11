#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>

#include "app/panels/panel.h"

namespace orrery::app {

extern const Panel dataset_panel;
extern const Panel rates_panel;
extern const Panel correctness_panel;
extern const Panel engine_panel;
extern const Panel ladder_panel;
extern const Panel sweep_panel;
extern const Panel timeline_panel;
extern const Panel simulation_panel;
extern const Panel display_panel;
extern const Panel log_panel;

std::span<const Panel* const> panels() {
  static constexpr std::array<const Panel*, 10> all{
      &dataset_panel, &rates_panel,    &correctness_panel, &engine_panel,  &ladder_panel,
      &sweep_panel,   &timeline_panel, &simulation_panel,  &display_panel, &log_panel};
  return all;
}

float draw_panels(PanelContext& context) {
  const float margin = 10.0F * context.scale;
  const auto size = ImGui::GetIO().DisplaySize;
  const ImVec2 room{std::max(size.x - 2.0F * margin, 32.0F), std::max(size.y - 2.0F * margin, 32.0F)};
  ImGui::SetNextWindowPos({margin, margin}, ImGuiCond_FirstUseEver);
  // The height follows the window; the width is the person's.
  ImGui::SetNextWindowSizeConstraints({std::min(200.0F * context.scale, room.x), room.y}, room);
  ImGui::SetNextWindowSize({340.0F * context.scale, room.y}, ImGuiCond_FirstUseEver);
  if (ImGui::Begin("Orrery", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove)) {
    for (const auto* panel : panels()) {
      const std::string title(panel->title);
      const bool open =
          ImGui::CollapsingHeader(title.c_str(), panel->open_at_start ? ImGuiTreeNodeFlags_DefaultOpen : 0);
      context.widgets.note("panel:" + title);
      if (!open) continue;
      ImGui::PushID(title.c_str());
      panel->draw(context);
      ImGui::PopID();
    }
  }
  const auto corner = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return corner.x < 2.0F * margin && corner.x + width < 0.6F * size.x ? corner.x + width : 0.0F;
}

}  // namespace orrery::app
