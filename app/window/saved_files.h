#pragma once

#include <filesystem>
#include <functional>

#include "app/panels/panel_state.h"
#include "sim/series/series_writer.h"

namespace orrery::lab {
struct DiagnosticsLog;
}

namespace orrery::sim {
struct Timeline;
}

namespace orrery::app {

class Messages;
class Session;
class Switching;
struct PlotSaving;

/// The files that a person asks the window for, besides pictures and films: series, traces, plots.
/// Each is a new one in the folder for pictures. What fails is shown.
class SavedFiles {
 public:
  /// `folder`: for all of them; empty: the user's pictures folder. `asked`: the series of the command line;
  /// without a folder: none.
  SavedFiles(Session& session, Messages& messages, std::filesystem::path folder, sim::SeriesRequest asked);

  /// The folder that all of them go into.
  std::filesystem::path folder() const;
  /// Starts the series as chosen, in a folder of its own.
  void start_series();
  /// Starts the series of the command line, which is one of the first dataset.
  void start_asked_series();
  void write_timeline(const sim::Timeline& timeline);
  void save_accuracy_speed(const Switching& switching);
  void save_plot(const PlotSaving& saving, const lab::DiagnosticsLog& log);

  SeriesChoice series;  ///< the next one

 private:
  void attempt(const std::function<void()>& act) const;
  /// In the folder, which is made.
  std::filesystem::path free_name(std::string_view what, const std::string& ending) const;

  Session& session_;
  Messages& messages_;
  std::filesystem::path folder_;
  sim::SeriesRequest asked_;
};

}  // namespace orrery::app
