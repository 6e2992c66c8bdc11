#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/theme.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "app/panels/timeline_view.h"

namespace orrery::app {

namespace {

std::string why_none(const Session& session) {
  if (session.paused && !session.replay_target()) return "Paused. The next step brings a timeline.";
  return "Waiting for a step. Its timeline shows when it is complete, if the engine records one.";
}

void draw_timeline(PanelContext& context) {
  auto& session = context.session;
  auto& view = context.timeline;
  if (!session.has_dataset()) return;
  session.timeline_wanted = true;
  const auto& newest = session.frame().timeline;
  if (!newest || newest->spans.empty()) {
    view = {};
    wrapped_text(dim_color(), why_none(session));
    context.widgets.note("no-timeline");
    return;
  }
  if (!view.held || !view.shown) view.shown = newest;
  // Kept while it is drawn: the next frame may bring another.
  const auto shown = view.shown;
  ImGui::TextDisabled(
      "%s",
      fmt::format("{}, {} spans; a row is device:stream", shown->schedule, shown->spans.size()).c_str());
  view.held = timeline_plot(*shown, view.window, context.scale);
  context.widgets.note("timeline");
  timeline_legend(*shown, context.scale);
  if (named_button(context.widgets, "write-trace", "Write trace",
                   "Saves this timeline into the pictures folder, as a Chrome trace (JSON) for "
                   "https://ui.perfetto.dev."))
    context.actions.write_trace(*shown);
}

}  // namespace

extern const Panel timeline_panel{"Timeline", false, draw_timeline, PanelTab::measure};

}  // namespace orrery::app
