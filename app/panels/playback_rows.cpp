#include "app/panels/playback_rows.h"

#include <fmt/format.h>
#include <imgui.h>

#include <cmath>

#include "app/panels/option_widgets.h"
#include "sim/core/counted.h"

namespace orrery::app {

namespace {

void scrub_row(PanelContext& context, Playback& playback) {
  row_label("Snapshot");
  // People count from 1.
  auto place = static_cast<float>(playback.place()) + 1.0F;
  ImGui::SliderFloat("##playback-place", &place, 1.0F, static_cast<float>(playback.size()), "%.1f",
                     ImGuiSliderFlags_AlwaysClamp);
  context.widgets.note("playback-place");
  if (ImGui::IsItemActive()) {
    context.session.paused = true;
    playback.go_to(double{place} - 1.0);
  } else {
    tooltip("Snapshot that is shown. Between two snapshots, bodies are interpolated by their ids.");
  }
}

void speed_row(PanelContext& context, Playback& playback) {
  row_label("Speed");
  auto speed = static_cast<float>(playback.speed);
  if (ImGui::DragFloat("##playback-speed", &speed, 0.1F, -200.0F, 200.0F, "%.1f a second",
                       ImGuiSliderFlags_AlwaysClamp))
    playback.speed = speed;
  context.widgets.note("playback-speed");
  if (!ImGui::IsItemActive()) tooltip("Snapshots per second; negative values play backwards.");
}

/// The snapshot that shows, as the start of a simulation.
void simulate_from_here(PanelContext& context, const Playback& playback) {
  auto request = context.session.dataset().request;
  request.snapshot = playback.nearest();
  context.actions.open(request);
}

/// Remarks about what the series lacks.
void remarks(const Playback& playback, PanelContext& context) {
  if (!playback.gaps().empty()) {
    ImGui::TextWrapped("Gaps: %s.", playback.gaps().c_str());
    context.widgets.note("playback-gaps");
  }
  if (playback.missing() > 0) {
    ImGui::TextWrapped("%s here; not drawn.",
                       sim::counted(playback.missing(), "body is missing", "bodies are missing").c_str());
    context.widgets.note(fmt::format("playback-missing:{}", playback.missing()));
  }
}

}  // namespace

void playback_rows(PanelContext& context) {
  auto* playback = context.session.playback();
  if (playback == nullptr) return;
  ImGui::TextWrapped("%s", fmt::format("A series of {}, played without simulating.",
                                       sim::counted(playback->size(), "snapshot", "snapshots"))
                               .c_str());
  context.widgets.note(fmt::format("playback:{}", playback->nearest() + 1));
  scrub_row(context, *playback);
  speed_row(context, *playback);
  named_checkbox(context.widgets, "playback-loop", "Loop", playback->loop, "Restarts the series at its end.");
  if (named_button(context.widgets, "playback-simulate", "Simulate from here",
                   "Starts a simulation from the nearest snapshot."))
    simulate_from_here(context, *playback);
  remarks(*playback, context);
  if (const auto problem = playback->problem(); !problem.empty()) ImGui::TextWrapped("%s", problem.c_str());
  ImGui::Separator();
}

}  // namespace orrery::app
