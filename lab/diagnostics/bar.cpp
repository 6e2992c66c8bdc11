#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel bar_panel(const DiagnosticsLog& log) { return over_time(log, {{"A2", &Instant::a2}}, "A2"); }

}  // namespace

extern const DiagnosticPlot bar_plot;
constinit const DiagnosticPlot bar_plot{
    .name = "bar",
    .title = "Bar strength",
    .meaning = "the second harmonic A2 within the half-mass radius: 0 is round, 1 a thin bar",
    .draw = bar_panel,
};

}  // namespace orrery::lab
