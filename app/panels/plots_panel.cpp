#include <imgui.h>

#include <algorithm>

#include "app/panels/option_widgets.h"
#include "app/panels/panel.h"
#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::app {

namespace {

void choice(PanelContext& context, const lab::DiagnosticPlot& plot) {
  auto& shown = context.layout.plots;
  const std::string name(plot.name);
  bool on = std::ranges::find(shown, name) != shown.end();
  if (named_checkbox(context.widgets, "show-plot:" + name, std::string(plot.title).c_str(), on,
                     std::string(plot.meaning))) {
    std::erase(shown, name);
    if (on) shown.push_back(name);
  }
}

void draw_plots(PanelContext& context) {
  if (!context.session.has_dataset()) return;
  if (!ImGui::BeginTable("##plots", 2)) return;
  for (const auto& plot : lab::diagnostic_plots()) {
    ImGui::TableNextColumn();
    choice(context, plot);
  }
  ImGui::EndTable();
  ImGui::TextDisabled("Plots open beside the picture.");
}

}  // namespace

/// Which plots of the bodies stand beside the view.
extern const Panel plots_panel{"Plots", true, draw_plots, PanelTab::measure};

}  // namespace orrery::app
