#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel lagrange_radii_panel(const DiagnosticsLog& log) {
  return over_time(log,
                   {{"10 %", &Instant::r10},
                    {"25 %", &Instant::r25},
                    {"50 %", &Instant::r50},
                    {"75 %", &Instant::r75},
                    {"90 %", &Instant::r90}},
                   {"radius", UnitKind::length}, plots::Scale::logarithmic);
}

}  // namespace

extern const DiagnosticPlot lagrange_radii_plot;
constinit const DiagnosticPlot lagrange_radii_plot{
    .name = "lagrange-radii",
    .title = "Lagrange radii",
    .meaning = "radii about the centre that hold 10 to 90 % of the mass, over time",
    .draw = lagrange_radii_panel,
};

}  // namespace orrery::lab
