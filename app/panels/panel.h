#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/named_widgets.h"
#include "app/live/laboratory.h"
#include "app/live/switching.h"
#include "app/panels/panel_state.h"
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
  bool rough = false;     ///< the bodies' spread light is coarse while they move
};

/// State of the panel between frames: the built-in galaxy that is being chosen, and the part of a dataset.
struct DatasetChoice {
  lab::DatasetRequest of;  ///< the request that shows; another one begins the choice anew
  std::uint64_t bodies = 0;
  std::uint64_t seed = 1;
  std::uint32_t galaxies = 1;
  lab::DatasetRequest shown;   ///< another one begins `wanted` anew
  lab::DatasetRequest wanted;  ///< part and offsets as they are being edited
};

/// The actions that panels ask of the window.
class PanelActions {
 public:
  PanelActions() = default;
  PanelActions(const PanelActions&) = delete;
  PanelActions& operator=(const PanelActions&) = delete;
  virtual ~PanelActions() = default;

  /// Loads a dataset in the background and then shows it.
  virtual void open(const lab::DatasetRequest& request) = 0;
  /// Files that were opened before and may be opened here, the newest first.
  virtual std::vector<std::string> recent_files() const = 0;
  /// Does what the command of that name does (app/window/commands.h).
  virtual void command(std::string_view name) = 0;
  /// False if this window does not have the command.
  virtual bool offers(std::string_view command) const = 0;
  virtual void toggle_panel() = 0;  ///< shows or hides it
  virtual void take_screenshot(bool with_panel) = 0;
  virtual void fit_camera() = 0;
  virtual void frame_galaxy() = 0;  ///< the one that is singled out
  virtual void glide_to(const render::Camera& camera) = 0;
  virtual void go_to_bookmark(int number) = 0;  ///< from 0
  virtual void keep_bookmark(int number) = 0;
  virtual void add_key() = 0;                            ///< the camera as it is now, behind the last key
  virtual void lay_path(const std::string& preset) = 0;  ///< from the camera as it is
  virtual void write_trace(const sim::Timeline& timeline) = 0;  ///< into a new file
  virtual void start_series() = 0;                              ///< as chosen, into a new folder
  virtual void save_accuracy_speed() = 0;                       ///< into a new file
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
  FilmDesk film;
  float scale;
  bool small;  ///< the panel hides the picture, so it has a button that closes it
  PanelActions& actions;
};

/// Groups of sections that are used together: dataset, time, engine and its errors; rates, ladders, sweeps,
/// timelines; how the picture looks; files, the window, messages.
enum class PanelTab { run, measure, picture, more };
inline constexpr std::size_t panel_tab_count = 4;
/// The name in the settings, and the name shown to people.
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

/// All panels in their order.
std::span<const Panel* const> panels();

/// Shows this section at the next frame, wherever it stands.
void reveal(PanelLayout& layout, const Panel& panel);

/// The name of Dear ImGui's window that is the panel.
inline constexpr const char* panel_window = "Orrery";

/// Draws the window that holds all panels. Returns how far it reaches from the left while it stands at that
/// edge, so that other things can keep clear of it.
float draw_panels(PanelContext& context);

}  // namespace orrery::app
