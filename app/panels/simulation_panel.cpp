#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/imgui_compat.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "sim/scene/physical_units.h"

namespace orrery::app {

namespace {

std::string time_line(const Session& session) {
  const auto& frame = session.frame();
  auto time = sim::time_text(frame.time, session.look().overlay.units(session.scene().units));
  // There is little room beside the buttons.
  if (time.starts_with("t = ")) time.erase(0, 4);
  if (const auto* playback = session.playback(); playback != nullptr)
    return fmt::format("{}, snapshot {}", time, playback->nearest() + 1);
  return fmt::format("{}, step {}", time, frame.steps);
}

void button(PanelContext& context, const char* label, const char* name, const char* meaning,
            const auto& action) {
  if (named_button(context.widgets, name, label, meaning)) action();
}

void replay(PanelContext& context) {
  auto& session = context.session;
  const auto target = session.replay_target();
  if (!target) return;
  const float fraction = static_cast<float>(session.frame().steps) / static_cast<float>(*target);
  ImGui::ProgressBar(fraction, {-1.0F, 0.0F},
                     fmt::format("repeating steps: {} of {}", session.frame().steps, *target).c_str());
  if (ImGui::Button("Stop here")) session.stop_replay();
}

/// A button as wide as the longer of both labels: the buttons beside it stay where they are.
void pause_button(PanelContext& context) {
  auto& session = context.session;
  const float wide = std::max(ImGui::CalcTextSize("Start").x, ImGui::CalcTextSize("Pause").x);
  const bool clicked = ImGui::Button(session.paused ? "Start###pause" : "Pause###pause",
                                     {wide + 2.0F * ImGui::GetStyle().FramePadding.x, 0.0F});
  context.widgets.note("pause");
  tooltip("Key: Space.");
  if (clicked) session.paused = !session.paused;
}

/// Beside the buttons; where there is no room for all of it the step alone: it must not jump below them.
void time_beside(const Session& session) {
  const auto line = time_line(session);
  const float end = ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x;
  const float room = ImGui::GetWindowPos().x + line_end() - end;
  const bool fits = ImGui::CalcTextSize(line.c_str()).x <= room;
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(fits ? line.c_str() : line.substr(line.find(", ") + 2).c_str());
  tooltip(line);
}

void draw_simulation(PanelContext& context) {
  auto& session = context.session;
  if (!session.has_dataset()) return;
  replay(context);
  pause_button(context);
  ImGui::SameLine();
  button(context, "Step", "step", "Makes one step, then pauses. Key: right arrow.",
         [&] { session.step_once(); });
  ImGui::SameLine();
  button(context, "Reset", "reset", "Goes back to the start. Key: Backspace.", [&] { session.reset(); });
  time_beside(session);
  option_groups(context, {"run"});
}

/// Draws the section about forces and integrators.
void draw_physics(PanelContext& context) { option_groups(context, {"physics"}); }

}  // namespace

extern const Panel physics_panel{"Physics", false, draw_physics, PanelTab::run};
extern const Panel simulation_panel{"Simulation", true, draw_simulation, PanelTab::run};

}  // namespace orrery::app
