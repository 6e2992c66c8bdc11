#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel momentum_panel(const DiagnosticsLog& log) {
  return over_time(log, {{"x", &Instant::px}, {"y", &Instant::py}, {"z", &Instant::pz}},
                   {"momentum", UnitKind::momentum});
}

}  // namespace

extern const DiagnosticPlot momentum_plot;
constinit const DiagnosticPlot momentum_plot{
    .name = "momentum",
    .title = "Momentum",
    .meaning = "the total momentum over time",
    .draw = momentum_panel,
};

}  // namespace orrery::lab
