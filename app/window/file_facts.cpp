#include "app/window/file_facts.h"

#include <fmt/format.h>
#include <imgui.h>

#include <optional>
#include <string>

#include "app/gui/gui.h"
#include "app/gui/named_widgets.h"
#include "app/gui/theme.h"
#include "app/live/headline.h"
#include "sim/core/counted.h"
#include "sim/options/physics_options.h"
#include "sim/scene/unit_systems.h"

namespace orrery::app {

namespace {

void row(const char* name, const std::string& value) {
  if (value.empty()) return;
  ImGui::TableNextColumn();
  ImGui::TextColored(card_colors::label, "%s", name);
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 22.0F * ImGui::GetFontSize());
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
}

/// "60000 disk, 20000 halo"; empty where all are of one kind.
std::string components(const SceneSummary& summary) {
  std::string text;
  int kinds = 0;
  for (std::size_t k = 0; k < summary.components.size(); ++k) {
    if (summary.components[k] == 0) continue;
    text +=
        fmt::format("{}{} {}", kinds++ > 0 ? ", " : "", summary.components[k], summary.component_labels[k]);
  }
  return kinds > 1 ? text : std::string();
}

std::string units(const sim::Scene& scene) {
  if (const auto* const system = sim::unit_system_of(scene)) return std::string(system->meaning);
  return sim::units_text(scene.units);
}

std::string virial(const Session& session) {
  const auto& health = session.health();
  const double ratio = health ? health->diagnostics.virial_ratio() : 0.0;
  if (!(ratio > 0.0)) return {};
  return fmt::format("{:.3g}{}", ratio, ratio > 0.4 && ratio < 0.6 ? ", near equilibrium" : "");
}

void rows(const Session& session) {
  const auto& summary = session.summary();
  const auto& physics = sim::physics_of(session.configuration);
  const auto several =
      summary.galaxies > 1 ? fmt::format(" in {} galaxies", summary.galaxies) : std::string();
  row("bodies", sim::counted(summary.bodies, "body", "bodies") + several);
  row("of these", components(summary));
  row("95 % within", fmt::format("{:.4g}", summary.radius));
  row("units", units(session.scene()));
  row("G, softening", fmt::format("{:.5g}, {:.4g}", physics.gravitational_constant, physics.softening));
  row("time step", fmt::format("{:.4g}", physics.time_step));
  row("K/|W|", virial(session));
}

/// In a window of its own: the card takes no input.
bool draw_units_button(ImVec2 at, WidgetMap& widgets) {
  ImGui::SetNextWindowPos(at);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::Begin("##facts-units", nullptr,
               bare_window | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoNav);
  const bool pressed = named_button(widgets, "file-units", "Choose other units...");
  ImGui::End();
  ImGui::PopStyleVar();
  return pressed;
}

bool waits(const Session& session) {
  return session.has_dataset() && session.paused && session.frame().steps == 0 && !session.replay_target() &&
         session.playback() == nullptr && lab::is_file(session.dataset().request);
}

}  // namespace

bool draw_file_facts(const Session& session, float left, float scale, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  if (!waits(session) || size.x - left < 320.0F * scale) return false;
  std::optional<ImVec2> button;
  // Beside the bodies; below them in a window that is narrow.
  const bool beside = !is_narrow({size.x, size.y}, scale);
  const ImVec2 at = beside ? ImVec2{size.x - 16.0F * scale, 0.5F * size.y}
                           : ImVec2{0.5F * (left + size.x), size.y - 64.0F * scale};
  begin_card("##facts", at, beside ? ImVec2{1.0F, 0.5F} : ImVec2{0.5F, 1.0F}, {16.0F, 12.0F}, scale);
  text_in(Gui::large_font(), text_color(), session.scene().title);
  widgets.note("file-facts");
  if (ImGui::BeginTable("##of-file", 2, ImGuiTableFlags_SizingFixedFit)) {
    rows(session);
    ImGui::EndTable();
  }
  if (const auto doubt = units_doubt(session); !doubt.empty()) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + 26.0F * ImGui::GetFontSize());
    ImGui::TextColored(card_colors::amber, "%s", doubt.c_str());
    ImGui::PopTextWrapPos();
    widgets.note("file-doubt");
    if (!session.scene().states_physics) {
      button = ImGui::GetCursorScreenPos();
      ImGui::Dummy({1.0F, ImGui::GetFrameHeight()});
    }
  }
  ImGui::TextColored(card_colors::label, is_for_fingers() ? "The panel starts it" : "Space runs it");
  end_card();
  return button && draw_units_button(*button, widgets);
}

}  // namespace orrery::app
