#include <imgui.h>

#include <algorithm>
#include <string>

#include "app/panels/header.h"
#include "app/panels/panel.h"
#include "panels.h"

namespace orrery::app {

std::span<const Panel* const> panels() { return registry::panels; }

float draw_panels(PanelContext& context) {
  const float margin = 10.0F * context.scale;
  const auto size = ImGui::GetIO().DisplaySize;
  const ImVec2 room{std::max(size.x - 2.0F * margin, 32.0F), std::max(size.y - 2.0F * margin, 32.0F)};
  ImGui::SetNextWindowPos({margin, margin}, ImGuiCond_FirstUseEver);
  // The height follows the window; the width is the person's.
  ImGui::SetNextWindowSizeConstraints({std::min(200.0F * context.scale, room.x), room.y}, room);
  ImGui::SetNextWindowSize({340.0F * context.scale, room.y}, ImGuiCond_FirstUseEver);
  if (ImGui::Begin("Orrery", nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove)) {
    draw_header(context);
    // Only the sections scroll.
    ImGui::BeginChild("sections");
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
    ImGui::EndChild();
  }
  const auto corner = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  ImGui::End();
  return corner.x < 2.0F * margin && corner.x + width < 0.6F * size.x ? corner.x + width : 0.0F;
}

}  // namespace orrery::app
