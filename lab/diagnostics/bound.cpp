#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel bound_panel(const DiagnosticsLog& log) {
  return over_time(log, {{"bound", &Instant::bound}}, "share of the mass");
}

}  // namespace

extern const DiagnosticPlot bound_plot;
constinit const DiagnosticPlot bound_plot{
    .name = "bound",
    .title = "Bound share",
    .meaning = "the share of the mass whose energy is below 0, over time",
    .draw = bound_panel,
};

}  // namespace orrery::lab
