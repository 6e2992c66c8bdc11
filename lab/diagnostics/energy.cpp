#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel energy_panel(const DiagnosticsLog& log) {
  return over_time(
      log, {{"kinetic", &Instant::kinetic}, {"potential", &Instant::potential}, {"total", &Instant::energy}},
      {"energy", UnitKind::energy});
}

}  // namespace

extern const DiagnosticPlot energy_plot;
constinit const DiagnosticPlot energy_plot{
    .name = "energy",
    .title = "Energy",
    .meaning = "kinetic, potential and total energy over time",
    .draw = energy_panel,
};

}  // namespace orrery::lab
