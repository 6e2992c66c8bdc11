#include "app/window/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/window/viewer.h"

namespace orrery::app {

namespace {

using Camera = render::Camera;

void look(Viewer& viewer, Camera::Preset preset) { viewer.session().camera.look(preset); }

/// The next or previous value of a choice that is not refused, around the ends.
void cycle(Viewer& viewer, const char* name, int direction) {
  auto& session = viewer.session();
  const auto& option = session.table().at(name);
  const auto count = static_cast<std::ptrdiff_t>(option.choices.size());
  const auto here =
      std::ranges::find(option.choices, session.configuration.choice(name)) - option.choices.begin();
  for (std::ptrdiff_t k = 1; k < count; ++k) {
    const auto next = ((here + direction * k) % count + count) % count;
    if (session.set_option(option, option.choices[static_cast<std::size_t>(next)])) return;
  }
}

void change_threads(Viewer& viewer, int by) {
  auto& session = viewer.session();
  const auto& option = session.table().at("threads");
  const auto value = std::clamp<std::int64_t>(session.configuration.integer("threads") + by, 1,
                                              static_cast<std::int64_t>(option.maximum));
  session.set_option(option, value);
}

void add_stops(Viewer& viewer, double stops) {
  auto& session = viewer.session();
  const auto& option = session.table().at("exposure");
  session.set_option(
      option, std::clamp(session.configuration.real("exposure") + stops, option.minimum, option.maximum));
}

/// From "as fast as it goes" the first press starts at the present pace.
void scale_speed(Viewer& viewer, double factor) {
  auto& session = viewer.session();
  const double dt = std::abs(session.configuration.real("time-step"));
  double speed = session.configuration.real("speed");
  if (speed <= 0.0) speed = session.rates().steps_per_second() * dt;
  const auto& option = session.table().at("speed");
  if (speed > 0.0) session.set_option(option, std::min(speed * factor, option.maximum));
}

void toggle_fly(Viewer& viewer) {
  auto& mode = viewer.session().camera.mode;
  mode = mode == Camera::Mode::fly ? Camera::Mode::orbit : Camera::Mode::fly;
}

constexpr int ctrl = GLFW_MOD_CONTROL;
constexpr int shift = GLFW_MOD_SHIFT;

constexpr std::array bindings{
    KeyBinding{GLFW_KEY_SPACE, 0, "Space", "pause or run", false,
               [](Viewer& v) { v.session().paused = !v.session().paused; }},
    KeyBinding{GLFW_KEY_RIGHT, 0, "Right", "one step", true, [](Viewer& v) { v.session().step_once(); }},
    KeyBinding{GLFW_KEY_PAGE_DOWN, 0, "PgDn", "50 steps", false,
               [](Viewer& v) { v.session().step_once(50); }},
    KeyBinding{GLFW_KEY_BACKSPACE, 0, "Backspace", "reset to the initial state", false,
               [](Viewer& v) { v.session().reset(); }},
    KeyBinding{GLFW_KEY_COMMA, 0, ",", "half the speed", true, [](Viewer& v) { scale_speed(v, 0.5); }},
    KeyBinding{GLFW_KEY_PERIOD, 0, ".", "twice the speed", true, [](Viewer& v) { scale_speed(v, 2.0); }},
    KeyBinding{GLFW_KEY_K, 0, "K", "next kernel", false, [](Viewer& v) { cycle(v, "kernel", 1); }},
    KeyBinding{GLFW_KEY_K, shift, "Shift+K", "previous kernel", false,
               [](Viewer& v) { cycle(v, "kernel", -1); }},
    KeyBinding{GLFW_KEY_UP, 0, "Up", "climb the ladder: the next rung that runs here", false,
               [](Viewer& v) { v.laboratory().ladder.climb(v.session(), v.laboratory().experiment, 1); }},
    KeyBinding{GLFW_KEY_DOWN, 0, "Down", "one rung down", false,
               [](Viewer& v) { v.laboratory().ladder.climb(v.session(), v.laboratory().experiment, -1); }},
    KeyBinding{GLFW_KEY_T, 0, "T", "one thread more", true, [](Viewer& v) { change_threads(v, 1); }},
    KeyBinding{GLFW_KEY_T, shift, "Shift+T", "one thread less", true,
               [](Viewer& v) { change_threads(v, -1); }},
    KeyBinding{GLFW_KEY_C, 0, "C", "next colour mode", false, [](Viewer& v) { cycle(v, "color-mode", 1); }},
    KeyBinding{GLFW_KEY_R, 0, "R", "fit the colour range to the bodies as they are now", false,
               [](Viewer& v) { v.session().adapt_color_range(); }},
    KeyBinding{GLFW_KEY_LEFT_BRACKET, 0, "[", "darker by a third of a stop", true,
               [](Viewer& v) { add_stops(v, -1.0 / 3.0); }},
    KeyBinding{GLFW_KEY_RIGHT_BRACKET, 0, "]", "brighter by a third of a stop", true,
               [](Viewer& v) { add_stops(v, 1.0 / 3.0); }},
    KeyBinding{GLFW_KEY_HOME, 0, "Home", "fit the view", false, [](Viewer& v) { v.fit_camera(); }},
    KeyBinding{GLFW_KEY_HOME, shift, "Shift+Home", "fit the view to the galaxy singled out", false,
               [](Viewer& v) { v.frame_galaxy(); }},
    KeyBinding{GLFW_KEY_G, 0, "G", "single out the next galaxy of the grid", true,
               [](Viewer& v) { v.session().single_out_next(1); }},
    KeyBinding{GLFW_KEY_G, shift, "Shift+G", "single out the previous galaxy", true,
               [](Viewer& v) { v.session().single_out_next(-1); }},
    KeyBinding{GLFW_KEY_1, ctrl, "Ctrl+1", "look at the disk face-on", false,
               [](Viewer& v) { look(v, Camera::Preset::face_on); }},
    KeyBinding{GLFW_KEY_3, ctrl, "Ctrl+3", "look at it edge-on, along x", false,
               [](Viewer& v) { look(v, Camera::Preset::edge_on_x); }},
    KeyBinding{GLFW_KEY_7, ctrl, "Ctrl+7", "look at it edge-on, along y", false,
               [](Viewer& v) { look(v, Camera::Preset::edge_on_y); }},
    KeyBinding{GLFW_KEY_F, 0, "F", "fly (W A S D Q E, drag to look around) or orbit", false, toggle_fly},
    KeyBinding{GLFW_KEY_F12, 0, "F12", "take a picture, with the panel", false,
               [](Viewer& v) { v.take_screenshot(true); }},
    KeyBinding{GLFW_KEY_F12, ctrl, "Ctrl+F12", "take a picture, without the panel", false,
               [](Viewer& v) { v.take_screenshot(false); }},
    KeyBinding{GLFW_KEY_C, ctrl, "Ctrl+C", "copy the view and all options as text", false,
               [](Viewer& v) { v.copy_view(); }},
    KeyBinding{GLFW_KEY_V, ctrl, "Ctrl+V", "paste a copied view", false, [](Viewer& v) { v.paste_view(); }},
    KeyBinding{GLFW_KEY_N, 0, "N", "next dataset of those named or dropped", false,
               [](Viewer& v) { v.open_next(1); }},
    KeyBinding{GLFW_KEY_N, shift, "Shift+N", "previous dataset", false, [](Viewer& v) { v.open_next(-1); }},
    KeyBinding{GLFW_KEY_TAB, 0, "Tab", "show or hide the panel", false,
               [](Viewer& v) { v.settings().panel_visible = !v.settings().panel_visible; }},
    KeyBinding{GLFW_KEY_H, 0, "H", "show or hide this help", false,
               [](Viewer& v) { v.settings().help_visible = !v.settings().help_visible; }},
    KeyBinding{GLFW_KEY_F1, 0, "F1", "the same", false,
               [](Viewer& v) { v.settings().help_visible = !v.settings().help_visible; }},
    KeyBinding{GLFW_KEY_ESCAPE, 0, "Esc", "close the message or this help, or show all galaxies alike", false,
               [](Viewer& v) { v.dismiss(); }},
    KeyBinding{GLFW_KEY_F11, 0, "F11", "full screen", false, [](Viewer& v) { v.toggle_fullscreen(); }},
    KeyBinding{GLFW_KEY_Q, ctrl, "Ctrl+Q", "quit", false, [](Viewer& v) { v.request_close(); }},
};

}  // namespace

std::span<const KeyBinding> key_bindings() { return bindings; }

}  // namespace orrery::app
