#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gui.h"
#include "app/panels/film_choice.h"
#include "app/picture/overlay_painter.h"
#include "app/picture/painter.h"
#include "app/session/run_options.h"
#include "app/session/session.h"
#include "app/window/camera_operator.h"
#include "app/window/messages.h"
#include "app/window/saved_files.h"
#include "app/window/scene_picture.h"
#include "app/window/settings.h"
#include "app/window/window.h"
#include "render/picture/image.h"

namespace orrery::app {

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
