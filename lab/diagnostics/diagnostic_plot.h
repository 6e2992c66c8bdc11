#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lab/diagnostics/diagnostics_log.h"
#include "lab/plots/figure.h"

namespace orrery::lab {

/// One plot of what was measured, the same in the viewer and on paper: a row of the table in
/// diagnostic_plot.cpp.
struct DiagnosticPlot {
  std::string_view name;   ///< on the command line
  std::string_view title;  ///< title shown to people
  std::string_view meaning;
  /// Draws the panel; lines without data have no points.
  plots::Panel (*draw)(const DiagnosticsLog& log);
};

/// All plots in the order of the menu.
std::span<const DiagnosticPlot> diagnostic_plots();
/// nullptr: there is none of that name.
const DiagnosticPlot* find_diagnostic_plot(std::string_view name);

/// True if a line has points.
bool has_points(const plots::Panel& panel);
/// One plot on paper. `subtitle`: dataset and machine.
plots::Figure figure_of(const DiagnosticPlot& plot, const DiagnosticsLog& log, std::string subtitle);
/// "from 20000 of 500000 bodies, drawn by lot"; empty where all count.
std::string sample_text(const DiagnosticsLog& log);
/// The points of a panel's lines as CSV: a line of names, then one line for each point: line, x, y.
std::string csv_of(const plots::Panel& panel);

}  // namespace orrery::lab
