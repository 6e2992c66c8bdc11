#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/diagnostics/diagnostic_plot.h"
#include "lab/diagnostics/diagnostics_log.h"

namespace orrery::app {

class Session;
class WidgetMap;

/// The structure measured of a state.
struct MeasuredStructure {
  double time = 0.0;
  std::uint64_t epoch = 0;  ///< number of the run and dataset it belongs to
  sim::Structure structure;
  std::optional<sim::Diagnostics> sums;  ///< energies and momenta, for gravity only
  std::chrono::nanoseconds spent{};      ///< CPU time that the diagnostics took
};

/// Measures the bodies that are shown, for plots: on a thread of its own, of a sample of some moments ago,
/// with at most a tenth of a core. Above 4000 bodies the potential energy is an estimate. Needs a
/// current context.
class DiagnosticsWorker {
 public:
  /// Bodies drawn by lot from those of the galaxy that is singled out, else of the first one.
  static constexpr std::size_t most_bodies = 20'000;
  /// Above that, bodies of a GPU would be read back too slowly: nothing is measured of them.
  static constexpr std::size_t most_read_back = 2'000'000;

  /// Call once per frame, while plots are shown. Begins anew with another dataset and after a reset.
  void update(const Session& session);
  const lab::DiagnosticsLog& log() const { return log_; }

 private:
  using Clock = std::chrono::steady_clock;
  void begin_anew(const Session& session);
  void take_found();
  void ask(const Session& session);
  void draw_lots(const Session& session);

  lab::DiagnosticsLog log_;
  std::vector<std::size_t> bodies_;  ///< sampled bodies
  std::size_t of_ = 0;               ///< number of bodies of the galaxy
  std::vector<sim::Component> component_;
  std::uint64_t opening_ = 0, resets_ = 0, epoch_ = 0;
  std::size_t galaxy_ = 0;
  double asked_time_ = 0.0;
  bool asked_once_ = false;
  std::future<MeasuredStructure> asked_;
  Clock::time_point next_ask_{};
};

/// The action that a button of a plot requests.
struct PlotSaving {
  const lab::DiagnosticPlot* plot = nullptr;
  bool as_csv = false;  ///< else SVG
};

/// Plots of the bodies in a column beside the panel.
class PlotDock {
 public:
  /// Call once per frame. `names`: the plots that are shown, as in the settings; without any nothing is
  /// measured.
  void update(const Session& session, const std::vector<std::string>& names);
  /// The column right of `left` and below `top` (window units), if there are plots. A cross takes its plot
  /// out of `names`. Returns where the view begins now.
  float draw(std::vector<std::string>& names, float left, float top, float scale, WidgetMap& widgets);
  /// The action requested since the last call.
  std::optional<PlotSaving> take_saving() { return std::exchange(saving_, std::nullopt); }
  const lab::DiagnosticsLog& log() const { return feed_.log(); }

 private:
  void save_words(const lab::DiagnosticPlot& plot, float at, bool known, WidgetMap& widgets);
  std::string note() const;
  bool plot(const lab::DiagnosticPlot& plot, float height, WidgetMap& widgets);

  DiagnosticsWorker feed_;
  std::optional<PlotSaving> saving_;
};

}  // namespace orrery::app
