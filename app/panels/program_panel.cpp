#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void program_button(PanelContext& context, const char* label, const char* command, const char* meaning) {
  if (named_button(context.widgets, command, label, meaning)) context.actions.command(command);
}

void draw_program(PanelContext& context) {
  const float height = std::max(3.0F * context.scale, ImGui::GetStyle().FramePadding.y);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                      {(is_for_fingers() ? 16.0F : 8.0F) * context.scale, height});
  program_button(context, "Theme", "theme", "The colours of the panel: light for bright rooms, else dark.");
  ImGui::SameLine();
  program_button(context, "Full screen", "full-screen", "Key: F11.");
  row_label("Text and widgets");
  program_button(context, "-", "smaller", "Makes text and widgets smaller. Key: Ctrl+minus.");
  ImGui::SameLine();
  program_button(context, "100 %", "usual-size", "Resets the size. Key: Ctrl+0.");
  ImGui::SameLine();
  program_button(context, "+", "larger", "Makes text and widgets larger. Key: Ctrl+plus.");
  row_label("Switches");
  program_button(context, "Undo", "undo", "Undoes the last change of an option. Key: Ctrl+Z.");
  ImGui::SameLine();
  program_button(context, "Redo", "redo", "Redoes the change that was undone. Key: Ctrl+Shift+Z.");
  program_button(
      context, "Find anything...", "palette",
      "Every option, galaxy, key and command, found by a few letters and set by keyboard. Key: Ctrl+P.");
  program_button(context, "Demonstrations...", "demos",
                 "Scripted steps with captions, views and measured rates, for an audience. Key: Ctrl+D.");
  program_button(context, "Reset the picture's options", "reset-display",
                 "Sets every option of the picture to its default. Undo restores them.");
  ImGui::PopStyleVar();
}

}  // namespace

extern const Panel program_panel{"Window", true, draw_program, PanelTab::more};

}  // namespace orrery::app
