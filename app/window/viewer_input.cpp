#include "app/window/viewer.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/picture/picture_views.h"
#include "app/window/chooser_keys.h"
#include "app/window/keys.h"
#include "app/window/palette.h"

// Keys, mouse and text.
namespace orrery::app {

void Viewer::open_palette() { chooser_.show(palette_list(*this)); }

void Viewer::handle(const InputEvent& event) {
  last_change_ = Clock::now();
  gui_.make_current();
  const auto& io = ImGui::GetIO();
  if (event.kind == InputEvent::Kind::drop) return drop(event.files);
  const bool keys = event.kind == InputEvent::Kind::key || event.kind == InputEvent::Kind::text;
  if (chooser_.open() && keys) return handle_chooser(event);
  if (event.kind == InputEvent::Kind::key) {
    // While text is typed into a widget only the keys with Ctrl that mean nothing there are the viewer's.
    const bool quits = event.code == GLFW_KEY_Q && (event.modifiers & GLFW_MOD_CONTROL) != 0;
    if (!io.WantTextInput || quits) handle_key(event);
    return;
  }
  const bool for_panel =
      io.WantCaptureMouse && !(event.kind == InputEvent::Kind::mouse_button && !event.pressed);
  if (for_panel) {
    camera_control_.release();
  } else if (session_.has_dataset()) {
    auto with_keys = event;
    if (event.kind == InputEvent::Kind::scroll && window_.key_down(GLFW_KEY_LEFT_CONTROL))
      with_keys.modifiers |= GLFW_MOD_CONTROL;
    const auto views =
        views_of(session_.configuration, session_.camera, glm::dvec2(window_.size()), scene_shift());
    camera_control_.handle(with_keys, views, session_);
    if (const auto where = camera_control_.take_click()) click(*where);
  }
}

/// A click selects one of several galaxies, or a body of a single one. The trail that it gets is not a
/// setting: it is not saved and cannot be undone.
void Viewer::click(const Click& where) {
  in_view(session_, where.view, [&] {
    const double aspect = where.view.aspect();
    if (session_.summary().galaxies > 1) return session_.single_out_under(where.cursor, aspect);
    note_changes();
    closer_.pick(session_, where.cursor, aspect, where.view.size.y);
    history_.accept(session_.configuration);
  });
}

void Viewer::toggle_following() {
  if (!closer_.toggle_following(session_)) say("click on a body first: this key follows it");
}

/// While a list is open all keys are its own, but for the end of the program and those that type nothing:
/// pictures and films are taken of lists too.
void Viewer::handle_chooser(const InputEvent& event) {
  if (is_quit_key(event)) return request_close();
  if (event.kind == InputEvent::Kind::key && event.code >= GLFW_KEY_F1 && event.code <= GLFW_KEY_F12)
    return handle_key(event);
  if (closes_palette(event)) return chooser_.close();
  drive(chooser_, event, [this] { return window_.clipboard(); });
}

/// The digits alone, and with Shift.
bool Viewer::handle_bookmark_key(int key, int modifiers) {
  const bool keeps = modifiers == GLFW_MOD_SHIFT;
  if (key < GLFW_KEY_1 || key > GLFW_KEY_9 || (modifiers != 0 && !keeps)) return false;
  if (keeps)
    keep_bookmark(key - GLFW_KEY_1);
  else
    go_to_bookmark(key - GLFW_KEY_1);
  return true;
}

void Viewer::handle_key(const InputEvent& event) {
  if (!event.pressed) return;
  constexpr int relevant = GLFW_MOD_CONTROL | GLFW_MOD_SHIFT | GLFW_MOD_ALT;
  const bool flying = session_.camera.mode == render::Camera::Mode::fly;
  // Plus needs Shift on many keyboards.
  const int code = event.code;
  const int modifiers =
      code == GLFW_KEY_EQUAL ? event.modifiers & GLFW_MOD_CONTROL : event.modifiers & relevant;
  if (handle_bookmark_key(code, modifiers)) return;
  for (const auto& binding : key_bindings()) {
    if (binding.key != code || binding.modifiers != modifiers) continue;
    const bool flight_key =
        flying && binding.modifiers == 0 && (event.code == GLFW_KEY_Q || event.code == GLFW_KEY_E);
    if (!flight_key && (binding.repeats || !event.repeated)) binding.act(*this);
    return;
  }
}

void Viewer::dismiss() {
  if (!problem_.empty()) {
    problem_.clear();
  } else if (gallery_.is_open()) {
    gallery_.close();
  } else if (demo_.running()) {
    end_demo();
  } else if (settings_.help_visible) {
    settings_.help_visible = false;
  } else if (closer_.active()) {
    closer_.release(session_);
    history_.accept(session_.configuration);
  } else {
    session_.show_all_galaxies();
  }
}

void Viewer::go_on() {
  if (demo_.playing())
    demo_.go_on();
  else
    session_.paused = !session_.paused;
}

}  // namespace orrery::app
