#include <imgui.h>

#include "app/gui/dot_plot.h"
#include "app/live/switching.h"
#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

namespace {

void draw(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  auto& switching = context.switching;
  const auto board = switching.board(context.session);
  if (!lab::has_dots(board)) {
    ImGui::TextDisabled("waiting for the first median and the first check");
    return;
  }
  const auto panel = lab::board_panel(board);
  const float width = std::max(ImGui::GetContentRegionAvail().x, 20.0F);
  tooltip(draw_dots(panel, {width, 0.72F * width}));
  for (const auto& line : panel.lines) {
    for (const auto& label : line.labels) context.widgets.note("dot:" + label);
  }
  if (ImGui::Button("Save as SVG")) context.save_board();
  context.widgets.note("save-board");
  tooltip("Draws it for paper, into the folder of the pictures.");
  ImGui::SameLine();
  ImGui::Checkbox("published", &switching.shows_rivals);
  context.widgets.note("board-rivals");
  tooltip(
      "Rates that others published, with their cards and numbers of bodies, as times for this dataset. Their "
      "errors are not stated: they stand at the top.");
}

}  // namespace

/// Error against time, one dot for each configuration that was tried.
extern const Panel board_panel{"Board", false, draw, PanelTab::measure};

}  // namespace orrery::app
