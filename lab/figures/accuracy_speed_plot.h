#pragma once

#include <string>
#include <vector>

#include "lab/bench/published_codes.h"
#include "lab/bench/switch_watch.h"
#include "lab/plots/figure.h"

namespace orrery::lab {

/// The data of the plot of accuracy over speed.
struct AccuracySpeedPlot {
  std::string subtitle;                ///< dataset and machine
  ProblemSize size;                    ///< size of the dataset
  std::vector<MeasuredVariant> tried;  ///< those without time or error are left out
  std::size_t present = 0;             ///< index in `tried` of the configuration that computes now
  /// Each at the time that it would take for this dataset; without a stated error at the top.
  std::vector<PublishedCode> published;
};

/// True if there is a dot to draw.
bool has_dots(const AccuracySpeedPlot& plot);

/// The positions of the lines in the panel of `accuracy_speed_panel`.
enum class AccuracySpeedLine : std::size_t { tried, present, published, measured_codes };

/// Median force error over the time of a force evaluation, both logarithmic: a dot with its name for each
/// configuration, the present one marked. The same panel is drawn on paper and in the window. Needs a dot.
plots::Panel accuracy_speed_panel(const AccuracySpeedPlot& plot);
/// The plot on paper, with the sources of the codes in its note.
plots::Figure accuracy_speed_figure(const AccuracySpeedPlot& plot);

}  // namespace orrery::lab
