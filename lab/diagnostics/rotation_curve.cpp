#include <algorithm>

#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel rotation_curve_panel(const DiagnosticsLog& log) {
  auto panel = over_radius(
      log, {{"mean rotation", &ProfileRow::rotation}, {"circular orbits", &ProfileRow::circular_speed}},
      {"speed", UnitKind::velocity});
  if (!has_points(panel)) return panel;
  panel.y.low = std::min(panel.y.low, 0.0);
  return panel;
}

}  // namespace

extern const DiagnosticPlot rotation_curve_plot;
constinit const DiagnosticPlot rotation_curve_plot{
    .name = "rotation-curve",
    .title = "Rotation curve",
    .meaning = "mean rotation of the disk, and the speed of circular orbits by the forces",
    .draw = rotation_curve_panel,
};

}  // namespace orrery::lab
