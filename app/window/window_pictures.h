#pragma once

#include <chrono>
#include <functional>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/panel_state.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/session/run_options.h"
#include "render/context/target.h"
#include "render/picture/camera.h"
#include "render/picture/image.h"
#include "sim/options/configuration.h"

namespace orrery::app {

class CameraOperator;
class Gui;
class Messages;
class SavedFiles;
class Session;
class Window;
struct Settings;

/// Chooses whether the picture is drawn roughly while it moves, so that frames stay fast: the light that is
/// spread, never the stars. Rough after some slow frames, exact when there is time again.
class PictureDetail {
 public:
  /// The longest time of a frame: 25 frames per second.
  static constexpr double longest_ms = 40.0;

  /// Reports the duration of a frame whose picture was drawn as `rough` says.
  void took(double milliseconds);
  /// True if the picture is to be drawn roughly (PictureInput::rough).
  bool rough() const { return rough_; }
  void reset() { *this = {}; }

 private:
  bool rough_ = false;
  unsigned slow_ = 0;   ///< frames in a row that took too long
  unsigned roomy_ = 0;  ///< frames in a row after which an exact picture would not take too long either
};

/// The picture of the bodies in the window: drawn again only when something in it changed, shown in every
/// frame. Where OpenGL has no GPU and frames are slow it is drawn roughly while it moves, at its full size,
/// and exactly as soon as it stands still.
class ScenePicture {
 public:
  /// Marks the picture as outdated, because bodies moved or were replaced.
  void expire() { current_ = false; }
  /// Copies the picture to the window's framebuffer of `size` pixels; draws it before if bodies, camera,
  /// options, size or `shift` (as in PictureInput) changed. True if it was drawn. Without a dataset the
  /// window becomes black.
  bool show(Session& session, Painter& painter, double shift, unsigned framebuffer, glm::ivec2 size);
  /// Reports the duration of the frame of the last `show`, until the window presented it. `alone`: the frame
  /// did no other long work.
  void took(double milliseconds, bool alone);
  /// True if the picture was last drawn roughly.
  bool rough() const { return target_ != nullptr && rough_; }

 private:
  using Clock = std::chrono::steady_clock;

  bool moves(Clock::time_point now) const;
  bool stands_rough(Clock::time_point now) const;
  bool draws_roughly();
  bool draw_if_changed(Session& session, Painter& painter, double shift);

  std::unique_ptr<render::PictureTarget> target_;
  bool rough_ = false;  ///< how it was drawn last
  bool current_ = false;
  PictureDetail detail_;
  std::optional<bool> software_;    ///< is OpenGL that of a core; unknown before the first picture
  bool drawn_now_ = false;          ///< true if the present frame drew the picture
  bool timed_ = false;              ///< the present frame says how long such pictures take
  Clock::time_point last_drawn_{};  ///< when the window showed it
  // What it was drawn with.
  render::Camera camera_;
  sim::Configuration configuration_;
  double shift_ = 0.0;
};

/// Draws the bodies with their texts: in the window, and into the picture files that a person asks for. Needs
/// the window's context.
class WindowPictures {
 public:
  /// The window that is drawn in, and what else of it a picture shows.
  struct Place {
    Session& session;
    Window& window;
    Gui& gui;
    const Settings& settings;
    const CameraOperator& camera;
    Messages& messages;
    const SavedFiles& files;
  };
  /// `asked_size`: of the pictures, by the command line; empty: that of the window.
  WindowPictures(Place place, std::optional<PictureSize> asked_size);

  /// Draws the window's picture, of so many pixels. True if the bodies were drawn anew.
  bool show(glm::ivec2 pixels);
  /// Marks the picture as outdated, because bodies moved or were replaced.
  void expire() { scene_.expire(); }
  /// As ScenePicture::took and rough, and what drew the bodies.
  void took(double milliseconds, bool alone) { scene_.took(milliseconds, alone); }
  bool rough() const { return scene_.rough(); }
  std::string drawn_by() const { return painter_.drawn_by(); }
  /// The texts at the foot of the window's picture, in window units.
  std::vector<OverlayBox> legend() const;

  /// Wants a picture file of the next frame, with or without the panel.
  void take(bool with_panel);
  bool wants_any() const { return !wanted_.empty(); }
  /// Draws panel and plots at a scale and with a layout. Returns how far they cover the picture's left.
  using DrawPanel = std::function<float(float scale, PanelLayout& layout)>;
  /// Writes the pictures that were wanted, in the size of `choice` if it has one.
  void save_wanted(const FilmChoice& choice, const DrawPanel& draw_panel);

 private:
  void draw_texts(OverlayPainter& overlay, double covered, unsigned framebuffer, glm::ivec2 size);
  void draw_bodies(const render::PictureTarget& target, double shift, bool transparent);
  render::Image draw_large(glm::ivec2 size, glm::ivec2 tile, bool transparent);
  render::Image draw_without_panel(glm::ivec2 size, bool transparent);
  render::Image draw_with_panel(glm::ivec2 size, const DrawPanel& draw_panel);
  void save(bool with_panel, const FilmChoice& choice, const DrawPanel& draw_panel);

  Place place_;
  std::optional<PictureSize> asked_size_;
  Painter painter_;
  OverlayPainter overlay_;
  ScenePicture scene_;
  std::vector<bool> wanted_;  ///< pictures of the next frame: true with the panel
};

}  // namespace orrery::app
