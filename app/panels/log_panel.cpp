#include <imgui.h>

#include "app/log.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

constexpr std::size_t shown_lines = 60;

void draw(PanelContext& context) {
  if (ImGui::BeginChild("lines", {0.0F, 130.0F * context.scale})) {
    ImGui::PushTextWrapPos(0.0F);
    for (const auto& line : recent_messages(shown_lines))
      ImGui::TextUnformatted(line.data(), line.data() + line.find_last_not_of('\n') + 1);
    ImGui::PopTextWrapPos();
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1.0F);
  }
  ImGui::EndChild();
}

}  // namespace

extern const Panel log_panel{"Messages", false, draw};

}  // namespace orrery::app
