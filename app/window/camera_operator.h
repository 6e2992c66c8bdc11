#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/picture/framing.h"
#include "app/session/camera_file.h"
#include "app/session/session.h"
#include "app/window/camera_control.h"
#include "app/window/camera_director.h"
#include "app/window/messages.h"
#include "app/window/window.h"

namespace orrery::app {

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
  void glide(const render::Camera& to) { director_.glide(to, session_.camera); }
  /// Moves the camera along its path from the beginning, or stops it.
  void toggle_playing();
  void play() { director_.play(session_.path, session_.camera); }
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
  double shift() const;
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
