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
#include "app/panels/dataset_choice.h"
#include "app/panels/film_choice.h"
#include "app/panels/panel_layout.h"
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
  std::string drawn_by;   ///< method that drew the bodies, and the reason
  std::string smaller;    ///< the part of the full size at which they are drawn now: "2/3"; empty: all of it
};

/// The data and actions that panels may use. Lives for one frame.
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
  PanelLayout& layout;
  DatasetChoice& dataset;
  FilmDesk& film;
  const std::vector<std::string>& recent;  ///< files that were opened before, the newest first
  float scale;
  std::function<void(const lab::DatasetRequest&)> open;
  std::function<void(bool with_panel)> take_screenshot;
  std::function<void()> fit_camera;
  std::function<void()> frame_galaxy;                     ///< the one that is singled out
  std::function<void(const sim::Timeline&)> write_trace;  ///< into a new file
  std::function<void()> start_series;                     ///< as chosen, into a new folder
  std::function<void()> save_accuracy_speed;              ///< into a new file
  std::function<void()> record;                   ///< begins or ends a film; empty: there is no button
  bool recording = false;                         ///< a film is under way
  std::function<void()> browse;                   ///< shows files to open
  std::function<void(std::string_view)> command;  ///< does what the command of that name does (commands.h)
};

/// Groups of sections that are used together: dataset, time, engine and its errors; rates, ladders, sweeps,
/// timelines; how the picture looks; files, the window, messages.
enum class PanelTab { run, measure, picture, more };
inline constexpr std::size_t panel_tab_count = 4;
/// As in the settings, and as the person reads it.
const char* name_of(PanelTab tab);
const char* title_of(PanelTab tab);

/// One section of the panel. Each lives in its own file; adding one takes that file and one line in
/// CMakeLists.txt of this folder.
struct Panel {
  std::string_view title;
  bool open_at_start;
  void (*draw)(PanelContext& context);
  PanelTab tab = PanelTab::more;
};

/// In the order in which they stand.
std::span<const Panel* const> panels();

/// Shows this section at the next frame, wherever it stands.
void reveal(PanelLayout& layout, const Panel& panel);

/// Draws the window that holds all panels. Returns how far it reaches from the left while it stands at that
/// edge, so that other things can keep clear of it.
float draw_panels(PanelContext& context);

}  // namespace orrery::app
