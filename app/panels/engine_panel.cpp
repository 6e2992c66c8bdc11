#include <imgui.h>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void draw(PanelContext& context) {
  option_group(context, "engine");
  const auto& session = context.session;
  if (session.has_dataset() && !session.frame().problem.empty()) {
    ImGui::PushStyleColor(ImGuiCol_Text, {1.0F, 0.45F, 0.4F, 1.0F});
    ImGui::TextWrapped("%s", session.frame().problem.c_str());
    ImGui::PopStyleColor();
  }
}

}  // namespace

extern const Panel engine_panel{"Engine", true, draw};

}  // namespace orrery::app
