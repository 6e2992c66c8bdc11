#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel surface_density_panel(const DiagnosticsLog& log) {
  return over_radius(log, {{"disk", &ProfileRow::surface_density}},
                     {"mass / area", UnitKind::surface_density}, plots::Scale::logarithmic);
}

}  // namespace

extern const DiagnosticPlot surface_density_plot;
constinit const DiagnosticPlot surface_density_plot{
    .name = "surface-density",
    .title = "Surface density",
    .meaning = "mass of the disk on unit area",
    .draw = surface_density_panel,
};

}  // namespace orrery::lab
