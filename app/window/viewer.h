#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/chooser.h"
#include "app/gui/gui.h"
#include "app/gui/widget_map.h"
#include "app/live/demo_run.h"
#include "app/live/laboratory.h"
#include "app/live/switching.h"
#include "app/panels/panel.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/session/loader.h"
#include "app/session/option_history.h"
#include "app/session/playlist.h"
#include "app/session/session.h"
#include "app/window/camera_control.h"
#include "app/window/camera_director.h"
#include "app/window/closer_look.h"
#include "app/window/gallery.h"
#include "app/window/plot_dock.h"
#include "app/window/recorder.h"
#include "app/window/scene_picture.h"
#include "app/window/settings.h"
#include "app/window/toasts.h"
#include "app/window/view_options.h"
#include "app/window/window.h"
#include "render/picture/image.h"

namespace orrery::app {

/// The window: input, panels, picture, once a frame. Nothing here waits for a step or for a file.
class Viewer {
 public:
  /// Opens the window and starts loading the first dataset. Throws render::Error without a display or
  /// OpenGL 4.5.
  explicit Viewer(const ViewOptions& options);

  /// Until the window is closed. Throws what ends the program; problems with datasets are only shown.
  void run();

  // What keys and panels ask for.
  /// A picture of the next frame, with or without the panel.
  void take_screenshot(bool with_panel);
  /// Shows the whole dataset again.
  void fit_camera();
  /// Turns the camera to a view of the disk; edge-on ones can be turned around its axis.
  void look_along(View view, double turn_degrees = 0.0);
  /// Shows the galaxy that is singled out; nothing without one.
  void frame_galaxy();
  /// Loads in the background and then shows.
  void open(const lab::DatasetRequest& request);
  void open_next(int direction);  ///< the next or previous dataset of the playlist
  void copy_view();
  void paste_view();
  /// The configuration before the last switch, and at the next call this one again.
  void switch_back() { say(switching_.back(session_)); }
  /// Shows a short message over the picture for some seconds; none if it is empty.
  void say(std::string text);
  /// Space: a demonstration goes on; otherwise pause or run.
  void go_on();
  /// The camera goes along with the body that was picked, or no longer.
  void toggle_following();
  /// Closes the message or the gallery, ends a demonstration, else closes the help, else lets go of a body,
  /// else shows all galaxies again.
  void dismiss();
  void request_close() { window_.close(); }
  void toggle_fullscreen() { window_.toggle_fullscreen(); }
  /// Takes back the last change of an option, or makes it again, and says which.
  void undo();
  void redo();
  /// Every option of the picture at its default.
  void reset_display();
  /// One step larger (1) or smaller (-1), or as at first (0).
  void change_ui_scale(int direction);
  void open_palette();
  /// Plots of the bodies beside the view, or none.
  void toggle_plots();
  /// Shows the built-in galaxies as pictures, or no longer.
  void toggle_gallery();
  /// Shows the files of the folder that was last opened from.
  void browse();
  /// Goes on with what was shown when the window was closed last.
  void continue_last_session();
  /// Begins a film, or ends the one under way.
  void toggle_recording();
  /// A film along the camera path.
  void record_path();
  /// Moves the camera along its path, or stops it.
  void toggle_playing();
  /// Keeps the view under a number from 0, or goes there.
  void keep_bookmark(int number);
  void go_to_bookmark(int number);
  Session& session() { return session_; }
  const Session& session() const { return session_; }
  Settings& settings() { return settings_; }
  Laboratory& laboratory() { return laboratory_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::vector<lab::TunedResult> read_tuned_results();
  void read_ladders();
  void read_published_codes();
  void open_first(const RunOptions& run);
  void frame();
  void take_loaded();
  void show_loaded(LoadedDataset loaded);
  void open_state(const std::filesystem::path& path, const lab::DatasetRequest& given = {});
  void load_state(const std::filesystem::path& path, ViewState state);
  void ask_for_files(const std::filesystem::path& path, const ViewState& state,
                     const std::vector<std::filesystem::path>& files);
  void answer_question();
  void take_look(const sim::Configuration& configuration);
  void open_checkpoint(const std::filesystem::path& path, const lab::DatasetRequest& given = {});
  void start_asked_checkpoints();
  void keep_last_session();
  void handle(const InputEvent& event);
  void handle_key(const InputEvent& event);
  bool handle_bookmark_key(int key, int modifiers);
  void handle_chooser(const InputEvent& event);
  void click(const Click& where);
  void drop(const std::vector<std::filesystem::path>& files);
  bool shift_is_down() const;
  void open_together(const std::vector<std::filesystem::path>& files);
  void move_camera(double seconds);
  void draw_scene(glm::ivec2 pixels);
  void build_gui();
  void draw_messages();
  void show_problems();
  void note_changes();
  void keep_looks(const OptionChange& change);
  void say_step(const char* what, const std::optional<OptionHistory::Step>& step);
  void use_kept_display();
  void keep_settings();
  void confirm(const char* what, const std::filesystem::path& file);
  float draw_overlay(float scale, PanelLayout* layout);
  void show_problem(const std::string& problem);
  double scene_shift() const;
  glm::dvec3 disk_axis() const;
  void start_camera(bool restored);
  double free_aspect() const;
  void draw_texts(OverlayPainter& overlay, double covered, unsigned framebuffer, glm::ivec2 size);
  void save_picture(bool with_panel);
  render::Image draw_large_picture(glm::ivec2 size, glm::ivec2 tile);
  render::Image draw_picture(glm::ivec2 size, bool with_panel);
  void start_recording(std::optional<std::uint64_t> frames);
  void update_film();
  void say_of_film(const Recorder::RecorderEvent& news);
  void add_key();
  void lay_path(const std::string& preset);
  FilmDesk film_desk();
  PanelContext panel_context(float scale, PanelLayout& layout);
  std::filesystem::path output_folder() const;
  void start_series();
  void start_asked_series();
  void write_timeline(const sim::Timeline& timeline);
  void save_accuracy_speed();
  void save_plot(const PlotDock::Saving& saving);
  void show_title();
  void draw_headlines();
  void start_demo();
  void update_demo();
  void end_demo();
  double wait_seconds(Clock::time_point frame_start) const;

  sim::OptionTable table_;
  ViewOptions options_;
  Settings settings_;
  Window window_;
  Gui gui_;
  Session session_;
  Laboratory laboratory_;
  Switching switching_;
  DemoRun demo_;
  bool panel_before_demo_ = true;
  Loader loader_;
  Painter painter_;
  OverlayPainter overlay_;
  WidgetMap widgets_;
  TimelineView timeline_;
  SeriesChoice series_choice_;
  CameraControl camera_control_;
  CloserLook closer_;
  PlotDock plots_;
  Playlist playlist_;
  FrameTimes times_;
  bool software_ = false;  ///< OpenGL has no GPU
  std::string problem_;    ///< shown over the picture until the next dataset opens

  std::string title_;  ///< title of the window
  Clock::time_point next_title_{};
  Toasts toasts_;
  Chooser chooser_;
  Gallery gallery_;
  OptionHistory history_;
  DatasetChoice dataset_choice_;
  std::filesystem::path opening_state_;  ///< the file of the state that is being loaded; empty: none
  std::filesystem::path resumed_;        ///< the checkpoint that was opened last; empty: none
  /// The look of a picture, while the list asks whether its dataset is opened.
  std::optional<sim::Configuration> asked_look_;

  FilmChoice film_choice_;
  FilmDesk film_desk_;
  Recorder recorder_;
  CameraDirector director_;

  ScenePicture scene_;
  bool panel_measured_ = false;
  float panel_width_ = 0.0F;  ///< width of the window that the panel covers at the left, in window units
  /// Pictures to save in the next frame: true with the panel, false without.
  std::vector<bool> pictures_wanted_;
  Clock::time_point last_change_ = Clock::now();
};

}  // namespace orrery::app
