#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/diagnostics/diagnostics_log.h"
#include "lab/plots/figure.h"

namespace orrery::lab {

/// One plot of what was measured, the same in the viewer and on paper. Each lives in its own file; adding one
/// takes that file and one line in CMakeLists.txt.
struct DiagnosticPlot {
  std::string_view name;   ///< on the command line
  std::string_view title;  ///< title shown to people
  std::string_view meaning;
  /// Draws the panel; lines without data have no points.
  plots::Panel (*draw)(const DiagnosticsLog& log);
};

/// All plots in the order of the menu.
std::span<const DiagnosticPlot* const> diagnostic_plots();
/// nullptr: there is none of that name.
const DiagnosticPlot* find_diagnostic_plot(std::string_view name);

/// A line of a plot: its name in the legend, and what it shows.
template <typename Row>
struct Curve {
  std::string name;
  double Row::*value;
};
using CurvesOverTime = std::vector<Curve<Instant>>;
using CurvesOverRadius = std::vector<Curve<ProfileRow>>;

/// The dimension of an axis: its numbers are given in a unit that people read, where the units are known.
enum class UnitKind { none, time, length, velocity, surface_density, energy, momentum, angular_momentum };
struct AxisText {
  std::string label;
  UnitKind unit = UnitKind::none;
  // NOLINTNEXTLINE(google-explicit-constructor): a name alone is the text of an axis without a unit
  AxisText(std::string_view text, UnitKind kind = UnitKind::none) : label(text), unit(kind) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  AxisText(const char* text, UnitKind kind = UnitKind::none) : label(text), unit(kind) {}
};

/// A panel of `curves` over simulated time, or over the distance from the axis. The axis of the values
/// shows `values`.
plots::Panel over_time(const DiagnosticsLog& log, const CurvesOverTime& curves, AxisText values,
                       plots::Scale scale = plots::Scale::linear);
plots::Panel over_radius(const DiagnosticsLog& log, const CurvesOverRadius& curves, AxisText values,
                         plots::Scale scale = plots::Scale::linear);
/// Lines of a plot in their colours, in the units of the log; axes are fitted to their points.
plots::Panel panel_of(const DiagnosticsLog& log, std::vector<plots::Line> lines, AxisText x, AxisText y,
                      plots::Scale scale = plots::Scale::linear);

/// True if a line has points.
bool has_points(const plots::Panel& panel);
/// One plot on paper. `subtitle`: dataset and machine.
plots::Figure figure_of(const DiagnosticPlot& plot, const DiagnosticsLog& log, std::string subtitle);
/// "from 20000 of 500000 bodies, drawn by lot"; empty where all count.
std::string sample_text(const DiagnosticsLog& log);
/// The points of a panel's lines as CSV: a line of names, then one line for each point: line, x, y.
std::string csv_of(const plots::Panel& panel);

}  // namespace orrery::lab
