#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void button(PanelContext& context, const char* label, const char* command, const char* meaning) {
  if (named_button(context.widgets, command, label, meaning)) context.actions.command(command);
}

void draw(PanelContext& context) {
  const float height = std::max(3.0F * context.scale, ImGui::GetStyle().FramePadding.y);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {(is_for_fingers() ? 16.0F : 8.0F) * context.scale, height});
  button(context, "Theme", "theme", "The colours of the panel: light for bright rooms, else dark.");
  ImGui::SameLine();
  button(context, "Full screen", "full-screen", "Key: F11.");
  row_label("Text and widgets");
  button(context, "-", "smaller", "Smaller. Key: Ctrl+minus.");
  ImGui::SameLine();
  button(context, "100 %", "usual-size", "As large as at first. Key: Ctrl+0.");
  ImGui::SameLine();
  button(context, "+", "larger", "Larger. Key: Ctrl+plus.");
  row_label("Switches");
  button(context, "Undo", "undo", "Takes back the last change of an option. Key: Ctrl+Z.");
  ImGui::SameLine();
  button(context, "Redo", "redo", "Makes it again. Key: Ctrl+Shift+Z.");
  button(context, "Find anything...", "palette",
         "Every option, galaxy, key and command, found by a few letters and set by keyboard. Key: Ctrl+P.");
  button(context, "Demonstrations...", "demos",
         "Scripted steps with captions, views and measured rates, for an audience. Key: Ctrl+D.");
  button(context, "Reset the picture's options", "reset-display",
         "Sets every option of the picture to its default. Undo takes it back.");
  ImGui::PopStyleVar();
}

}  // namespace

extern const Panel program_panel{"Window", true, draw, PanelTab::more};

}  // namespace orrery::app
