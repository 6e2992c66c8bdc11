#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/widget_map.h"
#include "app/live/laboratory.h"
#include "app/live/switching.h"
#include "app/panels/series_choice.h"
#include "app/panels/timeline_view.h"
#include "app/session/loader.h"
#include "app/session/session.h"

namespace orrery::app {

/// Milliseconds of the last frames, smoothed.
struct FrameTimes {
  double draw_ms = 0.0;   ///< submitting the bodies, exposure and tone
  double panel_ms = 0.0;  ///< building and submitting the panel
  double swap_ms = 0.0;   ///< until the window shows it
  double total_ms = 0.0;  ///< from one frame to the next
  std::string drawn_by;   ///< what drew the bodies, and why
};

/// What panels may look at and ask for. Lives for one frame.
struct PanelContext {
  Session& session;
  Laboratory& laboratory;
  Switching& switching;
  Loader& loader;
  WidgetMap& widgets;
  const FrameTimes& times;
  const std::vector<lab::DatasetRequest>& playlist;  ///< the datasets of the command line and those dropped
  TimelineView& timeline;
  SeriesChoice& series;
  float scale;
  std::function<void(const lab::DatasetRequest&)> open;
  std::function<void(bool with_panel)> take_screenshot;
  std::function<void()> fit_camera;
  std::function<void()> frame_galaxy;                     ///< the one that is singled out
  std::function<void(const sim::Timeline&)> write_trace;  ///< into a new file
  std::function<void()> start_series;                     ///< as chosen, into a new folder
  std::function<void()> save_board;                       ///< into a new file
  std::function<void()> record;                           ///< begins or ends a film; empty: there is no button
  bool recording = false;                                 ///< a film is under way
};

/// One section of the panel. Each lives in its own file; adding one takes that file and one line in
/// CMakeLists.txt of this folder.
struct Panel {
  std::string_view title;
  bool open_at_start;
  void (*draw)(PanelContext& context);
};

/// In the order in which they stand.
std::span<const Panel* const> panels();

/// Draws the window that holds all panels. Returns how far it reaches from the left while it stands at that
/// edge, so that other things can keep clear of it.
float draw_panels(PanelContext& context);

}  // namespace orrery::app
