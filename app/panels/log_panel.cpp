#include <imgui.h>

#include <algorithm>

#include "app/log.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

constexpr std::size_t shown_lines = 60;

void draw_log(PanelContext& context) {
  // To the panel's end where it is the last section that shows.
  const float height =
      std::max(ImGui::GetContentRegionAvail().y - 4.0F * context.scale, 130.0F * context.scale);
  if (ImGui::BeginChild("lines", {0.0F, height})) {
    ImGui::PushTextWrapPos(0.0F);
    for (const auto& line : recent_messages(shown_lines))
      ImGui::TextUnformatted(line.data(), line.data() + line.find_last_not_of('\n') + 1);
    ImGui::PopTextWrapPos();
    if (ImGui::GetScrollY() >= ImGui::GetScrollMaxY()) ImGui::SetScrollHereY(1.0F);
  }
  ImGui::EndChild();
}

}  // namespace

extern const Panel log_panel{"Messages", true, draw_log, PanelTab::more};

}  // namespace orrery::app
