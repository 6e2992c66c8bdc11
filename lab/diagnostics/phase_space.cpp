#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel phase_space_panel(const DiagnosticsLog& log) {
  plots::Line line{
      .points = {}, .color = {}, .marker = plots::Marker::circle, .marker_size = 1.1, .joined = false};
  for (const auto& point : log.phase) line.points.push_back({point.radius, point.v_phi});
  auto panel = panel_of(log, {std::move(line)}, {"distance from the axis", UnitKind::length},
                        {"speed around it", UnitKind::velocity});
  if (has_points(panel)) panel.x.low = 0.0;
  return panel;
}

}  // namespace

extern const DiagnosticPlot phase_space_plot;
constinit const DiagnosticPlot phase_space_plot{
    .name = "phase-space",
    .title = "Phase space",
    .meaning = "speed around the axis over distance from it, a dot for each body",
    .draw = phase_space_panel,
};

}  // namespace orrery::lab
