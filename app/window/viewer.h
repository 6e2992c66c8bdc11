#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/gui/chooser.h"
#include "app/gui/gui.h"
#include "app/gui/named_widgets.h"
#include "app/live/demo.h"
#include "app/live/laboratory.h"
#include "app/live/switching.h"
#include "app/panels/panel.h"
#include "app/session/run_options.h"
#include "app/session/session.h"
#include "app/window/camera_operator.h"
#include "app/window/closer_look.h"
#include "app/window/column_sheet.h"
#include "app/window/dataset_opener.h"
#include "app/window/demo_overlay.h"
#include "app/window/films.h"
#include "app/window/gallery.h"
#include "app/window/messages.h"
#include "app/window/option_keeper.h"
#include "app/window/plot_dock.h"
#include "app/window/saved_files.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "app/window/window_demo.h"
#include "app/window/window_pictures.h"

namespace orrery::app {

/// Options of `orrery view`.
struct ViewOptions {
  RunOptions run;
  std::optional<PictureSize> window_size;  ///< empty: as it was last time; the picture's without a display
  std::optional<std::uint64_t> steps;      ///< before the picture, without a display only
  bool fullscreen = false;
  std::optional<bool> paused;   ///< whether datasets open paused; empty: files do
  std::optional<Demo> demo;     ///< to play with the first dataset
  bool demo_by_itself = false;  ///< without Space
};

/// Opens the window that a viewer draws into.
using MakeWindow = std::function<std::unique_ptr<Window>(const Settings&)>;
/// A window on the display, of the size that was asked for, or that it had last.
MakeWindow display_window(const ViewOptions& options);

/// The window: input, panels, picture, once a frame. Nothing here waits for a step or for a file. What a
/// person does with datasets, camera, options, pictures, films and files has an owner of its own each; this
/// class holds them together.
class Viewer : private PanelActions {
 public:
  /// Makes the window, with the settings of the last run, and starts loading the first dataset. Throws what
  /// `make_window` throws.
  Viewer(const ViewOptions& options, const MakeWindow& make_window);

  /// Runs until the window is closed. Throws errors that end the program; problems with datasets are only
  /// shown.
  void run();

  /// Calls `act` once a frame, before anything is drawn.
  void each_frame(std::function<void()> act) { each_frame_ = std::move(act); }

  // What keys, commands and the palette act on.
  Session& session() { return session_; }
  const Session& session() const { return session_; }
  Settings& settings() { return settings_; }
  Laboratory& laboratory() { return laboratory_; }
  const Switching& switching() const { return switching_; }
  Messages& messages() { return messages_; }
  CameraOperator& camera() { return camera_; }
  OptionKeeper& options() { return options_; }
  WindowPictures& pictures() { return pictures_; }
  Films& films() { return films_; }
  DatasetOpener& datasets() { return datasets_; }

  /// The configuration before the last switch, and at the next call this one again.
  void switch_back() { messages_.say(switching_.back(session_)); }
  /// Space: a demonstration goes on; otherwise pause or run.
  void go_on();
  /// The camera goes along with the body that was picked, or no longer.
  void toggle_following();
  /// Closes the message or the gallery, ends a demonstration, else closes the help, else lets go of a body,
  /// else shows all galaxies again.
  void dismiss();
  /// Ends the program; a served window ends for this browser only.
  void leave() { window_.leave(); }
  bool is_served() const { return window_.is_served(); }
  /// Asks whether the server ends for all.
  void ask_to_end();
  void toggle_fullscreen() { window_.toggle_fullscreen(); }
  /// One step larger (1) or smaller (-1), or as at first (0).
  void change_ui_scale(int direction);
  /// All text larger, for a room, or as before.
  void toggle_projector();
  void toggle_panel() override { settings_.panel_shows() = !settings_.panel_shows(); }
  void open_palette();
  /// Plots of the bodies beside the view, or none.
  void toggle_plots();
  /// Shows the built-in galaxies as pictures, or no longer.
  void toggle_gallery();
  /// Shows the demonstrations to choose from, or no longer.
  void toggle_demos();
  /// Opens the dataset of a demonstration, with all options at their defaults, and plays it. Space goes on.
  void start_demo(Demo demo);

 private:
  using Clock = std::chrono::steady_clock;

  void open(const lab::DatasetRequest& request) override { datasets_.open(request); }
  std::vector<std::string> recent_files() const override { return datasets_.recent_files(); }
  void command(std::string_view name) override;
  bool offers(std::string_view command) const override;
  void take_screenshot(bool with_panel) override { pictures_.take(with_panel); }
  void fit_camera() override { camera_.fit(); }
  void frame_galaxy() override { camera_.frame_galaxy(); }
  void glide_to(const render::Camera& camera) override { camera_.glide(camera); }
  void go_to_bookmark(int number) override { camera_.go_to_bookmark(number); }
  void keep_bookmark(int number) override { camera_.keep_bookmark(number); }
  void add_key() override { camera_.add_key(films_.choice.key_seconds); }
  void lay_path(const std::string& preset) override { camera_.lay_path(preset, films_.choice.path_seconds); }
  void write_trace(const sim::Timeline& timeline) override { files_.write_timeline(timeline); }
  void start_series() override { files_.start_series(); }
  void save_accuracy_speed() override { files_.save_accuracy_speed(switching_); }

  Loader::Complete completion();
  void read_ladders();
  void read_published_codes();
  void frame();
  void update();
  void draw(Clock::time_point start, glm::ivec2 pixels);
  void keep_last_session();
  double wait_seconds(Clock::time_point frame_start) const;
  void move_camera(double seconds);

  void handle(const InputEvent& event);
  void handle_key(const InputEvent& event);
  bool handle_bookmark_key(int key, int modifiers);
  void handle_chooser(const InputEvent& event);
  void handle_sheet(const InputEvent& event);
  void click(const Click& where);

  void build_gui();
  PanelContext panel_context(float scale, PanelLayout& layout);
  float draw_overlay(float scale, PanelLayout* layout);
  void draw_messages();
  bool shows_panel_button();
  bool shows_heads_up();
  bool has_room_for_pause();
  void draw_headlines();
  float draw_rates();
  void press_demo_buttons(const DemoFoot& foot);
  void draw_gallery();
  void end_demo_without_dataset();
  void show_title();

  sim::OptionTable table_;
  ViewOptions asked_;
  Settings settings_;
  std::unique_ptr<Window> owned_window_;
  Window& window_;
  Gui gui_;
  Session session_;
  Laboratory laboratory_;
  Switching switching_;
  Messages messages_;
  Chooser chooser_;
  ColumnSheet sheet_;
  CameraOperator camera_;
  WindowDemo demo_;
  DemoCover demo_cover_;  ///< by its texts of the last frame
  OptionKeeper options_;
  SavedFiles files_;
  WindowPictures pictures_;
  Films films_;
  DatasetOpener datasets_;

  // The panel, and what else is drawn over the picture.
  WidgetMap widgets_;
  FrameTimes times_;
  TimelineView timeline_;
  DatasetChoice dataset_choice_;
  PlotDock plots_;
  CloserLook closer_;
  Gallery gallery_;
  bool panel_measured_ = false;
  std::string title_;  ///< title of the window
  Clock::time_point next_title_{};

  std::function<void()> each_frame_;
  bool software_ = false;  ///< OpenGL has no GPU
  Clock::time_point last_change_ = Clock::now();
};

}  // namespace orrery::app
