#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel virial_ratio_panel(const DiagnosticsLog& log) {
  return over_time(log, {{"K / |W|", &Instant::virial_ratio}}, "K / |W|");
}

}  // namespace

extern const DiagnosticPlot virial_ratio_plot;
constinit const DiagnosticPlot virial_ratio_plot{
    .name = "virial-ratio",
    .title = "Virial ratio",
    .meaning = "kinetic energy over |potential energy|: 0.5 in equilibrium",
    .draw = virial_ratio_panel,
};

}  // namespace orrery::lab
