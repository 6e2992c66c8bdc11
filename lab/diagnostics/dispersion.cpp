#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::lab {

namespace {

plots::Panel dispersion_panel(const DiagnosticsLog& log) {
  return over_radius(log,
                     {{"outward", &ProfileRow::sigma_r},
                      {"around", &ProfileRow::sigma_phi},
                      {"along the axis", &ProfileRow::sigma_z}},
                     {"spread of velocity", UnitKind::velocity});
}

}  // namespace

extern const DiagnosticPlot dispersion_plot;
constinit const DiagnosticPlot dispersion_plot{
    .name = "dispersion",
    .title = "Velocity dispersion",
    .meaning = "spread of the velocities outward, around and along the axis",
    .draw = dispersion_panel,
};

}  // namespace orrery::lab
