#include <algorithm>

#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel toomre_q_panel(const DiagnosticsLog& log) {
  auto panel = over_radius(log, {{"Q", &ProfileRow::toomre_q}}, "Q");
  if (!has_points(panel)) return panel;
  panel.y = plots::from_zero("Q", plots::Scale::linear, std::vector{2.0, std::min(panel.y.high, 6.0)});
  panel.lines.push_back({.name = "breaks up below",
                         .points = {{panel.x.low, 1.0}, {panel.x.high, 1.0}},
                         .color = plots::gray(0.5),
                         .dash = plots::Dash::dashed});
  return panel;
}

}  // namespace

extern const DiagnosticPlot toomre_q_plot;
constinit const DiagnosticPlot toomre_q_plot{
    .name = "toomre-q",
    .title = "Toomre's Q",
    .meaning = "stability of the disk: below 1 it breaks up by its own gravity",
    .draw = toomre_q_panel,
};

}  // namespace orrery::lab
