#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel angular_momentum_panel(const DiagnosticsLog& log) {
  return over_time(log, {{"x", &Instant::lx}, {"y", &Instant::ly}, {"z", &Instant::lz}},
                   {"angular momentum", UnitKind::angular_momentum});
}

}  // namespace

extern const DiagnosticPlot angular_momentum_plot;
constinit const DiagnosticPlot angular_momentum_plot{
    .name = "angular-momentum",
    .title = "Angular momentum",
    .meaning = "the total angular momentum about the origin over time",
    .draw = angular_momentum_panel,
};

}  // namespace orrery::lab
