#pragma once

#include <chrono>
#include <glm/glm.hpp>
#include <optional>
#include <utility>

#include "app/session/session.h"
#include "app/window/window.h"

namespace orrery::app {

/// The window as the mouse sees it.
struct ViewArea {
  glm::dvec2 size{1.0};  ///< in the units of input events
  double shift = 0.0;    ///< as in PictureInput
};

/// Turns the mouse into camera movements: left drag turns, right, middle or Shift+left drag pans, the wheel
/// zooms (with Ctrl towards the cursor), a double click centres on the bodies under the cursor.
class CameraControl {
 public:
  /// True if the event moved the camera.
  bool handle(const InputEvent& event, const ViewArea& area, Session& session);
  /// Keys held down in fly mode: W A S D Q E, for the `seconds` since the last frame.
  static void fly(const Window& window, double seconds, render::Camera& camera);
  /// Where the left button was pressed and let go without moving (normalized device coordinates), since the
  /// last call. The second click of a double click does not count.
  std::optional<glm::dvec2> take_click() { return std::exchange(click_, std::nullopt); }
  /// The cursor left for the panel: whatever was dragged is let go.
  void release() {
    drag_ = Drag::none;
    pressed_at_.reset();
  }

 private:
  enum class Drag { none, turn, pan };
  bool press(const InputEvent& event, const ViewArea& area, Session& session);
  void end_click(const InputEvent& event, const ViewArea& area);
  bool drag(const InputEvent& event, glm::dvec2 size, render::Camera& camera);

  Drag drag_ = Drag::none;
  glm::dvec2 last_{0};
  glm::dvec2 cursor_{0};
  std::chrono::steady_clock::time_point last_click_{};
  glm::dvec2 last_click_at_{0};
  std::optional<glm::dvec2> pressed_at_;  ///< window units, while a click may come of it
  std::optional<glm::dvec2> click_;
};

}  // namespace orrery::app
