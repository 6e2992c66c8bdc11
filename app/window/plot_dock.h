#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/widget_map.h"
#include "app/session/session.h"
#include "app/window/diagnostics_worker.h"
#include "lab/diagnostics/diagnostic_plot.h"

namespace orrery::app {

/// Plots of the bodies in a column beside the panel.
class PlotDock {
 public:
  /// The action that a button requests.
  struct Saving {
    const lab::DiagnosticPlot* plot = nullptr;
    bool as_csv = false;  ///< else SVG
  };

  /// Call once per frame. `names`: the plots that are shown, as in the settings; without any nothing is
  /// measured.
  void update(const Session& session, const std::vector<std::string>& names);
  /// The column right of `left` and below `top` (window units), if there are plots. A cross takes its plot
  /// out of `names`. Returns where the view begins now.
  float draw(std::vector<std::string>& names, float left, float top, float scale, WidgetMap& widgets);
  /// The action requested since the last call.
  std::optional<Saving> take_saving();
  const lab::DiagnosticsLog& log() const { return feed_.log(); }

 private:
  void save_words(const lab::DiagnosticPlot& plot, float at, bool known, WidgetMap& widgets);
  std::string note() const;
  bool plot(const lab::DiagnosticPlot& plot, float height, WidgetMap& widgets);

  DiagnosticsWorker feed_;
  std::optional<Saving> saving_;
};

}  // namespace orrery::app
