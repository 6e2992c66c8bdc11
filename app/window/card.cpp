#include "app/window/card.h"

namespace orrery::app {

void begin_card(const char* name, ImVec2 at, ImVec2 pivot, ImVec2 padding, float scale, float visibility) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  ImGui::SetNextWindowBgAlpha(0.86F * visibility);
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, visibility);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding.x * scale, padding.y * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10.0F * scale);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, {0.03F, 0.04F, 0.07F, 1.0F});
  ImGui::PushStyleColor(ImGuiCol_Text, {0.94F, 0.95F, 0.98F, 1.0F});
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav);
}

void end_card() {
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
}

}  // namespace orrery::app
