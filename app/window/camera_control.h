#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <glm/glm.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/picture/picture_views.h"
#include "app/session/session.h"
#include "app/window/window.h"

namespace orrery::app {

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

}  // namespace orrery::app
