#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/framing.h"
#include "app/picture/picture_views.h"
#include "app/session/camera_file.h"
#include "app/window/window.h"
#include "render/picture/camera_path.h"

namespace orrery::app {

class Messages;
class Session;

/// The position of a click with the left button: pressed and released without moving.
struct Click {
  glm::dvec2 cursor{0.0};  ///< normalized device coordinates of the view
  PictureView view;
};

/// Lets `act` ask the session in one of its views: from a side the camera is that view's for so long, and
/// where it moves all views move with it.
void in_view(Session& session, const PictureView& view, const std::function<void()>& act);

/// Turns the mouse into camera movements, in the view under the cursor: left drag turns, right, middle or
/// Shift+left drag pans, the wheel zooms (with Ctrl towards the cursor), a double click centres on the bodies
/// under the cursor. In views from a side left drag pans too.
class CameraControl {
 public:
  /// True if the event moved the camera. `views`: of the window, in the units of input events; at least one.
  bool handle(const InputEvent& event, const std::vector<PictureView>& views, Session& session);
  /// Keys held down in fly mode: W A S D Q E, for the `seconds` since the last frame.
  static void fly(const Window& window, double seconds, render::Camera& camera);
  /// The click since the last call. The second one of a double click does not count.
  std::optional<Click> take_click() { return std::exchange(click_, std::nullopt); }
  /// The cursor left for the panel: whatever was dragged is let go.
  void release() {
    drag_ = Drag::none;
    pressed_at_.reset();
  }

 private:
  enum class Drag { none, turn, pan };
  bool act(const InputEvent& event, const PictureView& view, Session& session);
  bool press(const InputEvent& event, const PictureView& view, Session& session);
  void end_click(const InputEvent& event, const PictureView& view);
  bool drag(const InputEvent& event, glm::dvec2 size, render::Camera& camera);

  Drag drag_ = Drag::none;
  glm::dvec2 last_{0};
  glm::dvec2 cursor_{0};
  std::chrono::steady_clock::time_point last_click_{};
  glm::dvec2 last_click_at_{0};
  std::optional<glm::dvec2> pressed_at_;  ///< window units, while a click may come of it
  std::optional<Click> click_;
  std::size_t used_ = 0;  ///< the view that is dragged in, or that the cursor was in last
};

/// Moves the camera by itself: along a path, or in a short glide to a view. A person who moves it takes over.
class CameraDirector {
 public:
  /// Starts a path, which must have keys, from its beginning; `gliding`: it is none that a person plays.
  void play(const render::CameraPath& path, render::Camera& camera, bool gliding = false);
  /// Moves the camera to a view, in less than a second.
  void glide(const render::Camera& to, render::Camera& camera);
  void stop() { path_.reset(); }
  bool moves() const { return path_.has_value(); }
  /// True while the camera follows a path that was played.
  bool plays() const { return moves() && !gliding_; }

  /// Advances the motion by `seconds`.
  void advance(double seconds, render::Camera& camera);

 private:
  std::optional<render::CameraPath> path_;
  bool gliding_ = false;
  double time_ = 0.0;
  render::Camera set_;  ///< as it was left: otherwise a person has moved it
};

/// Moves the session's camera for a person: with mouse and keys, to a view of the bodies, to a view that was
/// kept, along a path. Knows how much of the window the panel leaves free.
class CameraOperator {
 public:
  /// `first`: the camera options of the command line, which are for the first dataset.
  CameraOperator(Session& session, Window& window, Messages& messages, CameraChoice first);

  /// Starts with another dataset. `restored`: the dataset came with its camera.
  void start(bool restored);
  /// Shows the whole dataset again.
  void fit();
  /// Shows the whole dataset again after a phone was turned, so that a broad window became an upright one or
  /// the reverse. Call once a frame; does nothing if the camera was moved meanwhile.
  void fit_when_turned();
  /// Turns the camera to a view of the disk; edge-on ones can be turned around its axis.
  void look_along(View view, double turn_degrees = 0.0);
  /// Shows the galaxy that is singled out; nothing without one.
  void frame_galaxy();
  void copy_view();
  void paste_view();

  /// Keeps the view under a number from 0, or goes there.
  void keep_bookmark(int number);
  void go_to_bookmark(int number);
  void glide(const render::Camera& to);
  /// Moves the camera along its path from the beginning, or stops it.
  void toggle_playing();
  void play();
  bool plays() const { return director_.plays(); }
  /// Adds the camera as a key to its path, `seconds` after the last one.
  void add_key(double seconds);
  /// Replaces the path by the built-in one of that name, from the present camera.
  void lay_path(const std::string& preset, double seconds);

  /// Advances all motion of the camera by `seconds`.
  void advance(double seconds);
  /// The keys that fly are held for so long.
  void fly(double seconds);
  /// An event of the mouse over the picture. Where it was clicked, if it was.
  std::optional<Click> handle(const InputEvent& event);
  /// The cursor left for the panel.
  void release() { control_.release(); }

  /// The panel covers the window's left up to here, in window units.
  void set_covered(float width) { covered_ = width; }
  float covered() const { return covered_; }
  /// The shift of the picture, as in PictureInput.
  double shift() const { return covered_ / static_cast<double>(std::max(window_.size().x, 1)); }
  /// Width over height of what is free of the window.
  double free_aspect() const;

 private:
  glm::dvec3 disk_axis() const;

  Session& session_;
  Window& window_;
  Messages& messages_;
  CameraChoice first_;
  CameraControl control_;
  CameraDirector director_;
  float covered_ = 0.0F;
  std::optional<render::Camera> fitted_;  ///< as `fit` left it
  bool upright_ = false;                  ///< the window is higher than wide
};

}  // namespace orrery::app
