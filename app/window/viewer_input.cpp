#include "app/window/viewer.h"

#include <GLFW/glfw3.h>
#include <imgui.h>

#include <array>

#include "app/window/commands.h"
#include "app/window/palette.h"
#include "app/window/question.h"

// Keys, mouse and text.
namespace orrery::app {

namespace {

struct KeyMeaning {
  int key;
  Chooser::Key meaning;
};

constexpr std::array meanings{KeyMeaning{GLFW_KEY_UP, Chooser::Key::up},
                              KeyMeaning{GLFW_KEY_DOWN, Chooser::Key::down},
                              KeyMeaning{GLFW_KEY_PAGE_UP, Chooser::Key::page_up},
                              KeyMeaning{GLFW_KEY_PAGE_DOWN, Chooser::Key::page_down},
                              KeyMeaning{GLFW_KEY_HOME, Chooser::Key::first},
                              KeyMeaning{GLFW_KEY_END, Chooser::Key::last},
                              KeyMeaning{GLFW_KEY_ENTER, Chooser::Key::choose},
                              KeyMeaning{GLFW_KEY_KP_ENTER, Chooser::Key::choose},
                              KeyMeaning{GLFW_KEY_ESCAPE, Chooser::Key::back},
                              KeyMeaning{GLFW_KEY_BACKSPACE, Chooser::Key::erase}};

bool with_ctrl(const InputEvent& event, int key) {
  return event.kind == InputEvent::Kind::key && event.pressed && event.code == key &&
         (event.modifiers & GLFW_MOD_CONTROL) != 0;
}

/// Passes a key or a letter of the window on; Ctrl+V types what the clipboard holds, up to the end of its
/// line.
void drive(Chooser& chooser, const InputEvent& event, const Window& window) {
  if (event.kind == InputEvent::Kind::text) return chooser.type(event.text);
  if (!event.pressed) return;
  if (with_ctrl(event, GLFW_KEY_V)) {
    const auto text = window.clipboard();
    return chooser.type(text.substr(0, text.find_first_of("\r\n")));
  }
  if (with_ctrl(event, GLFW_KEY_BACKSPACE) || with_ctrl(event, GLFW_KEY_U))
    return chooser.press(Chooser::Key::erase_all);
  for (const auto& [key, meaning] : meanings)
    if (key == event.code) return chooser.press(meaning);
}

}  // namespace

void Viewer::open_palette() { chooser_.show(palette_list(*this)); }

void Viewer::ask_to_end() {
  chooser_.show(end_question([this] { window_.close(); }));
}

void Viewer::toggle_demos() {
  if (chooser_.shows(demo_list_name)) return chooser_.close();
  chooser_.show(demo_list(*this));
}

void Viewer::handle(const InputEvent& event) {
  last_change_ = Clock::now();
  gui_.make_current();
  const auto& io = ImGui::GetIO();
  if (event.kind == InputEvent::Kind::drop) return datasets_.drop(event.files);
  const bool keys = event.kind == InputEvent::Kind::key || event.kind == InputEvent::Kind::text;
  if (chooser_.open() && keys) return handle_chooser(event);
  if (sheet_.is_open() && event.kind == InputEvent::Kind::key) return handle_sheet(event);
  if (event.kind == InputEvent::Kind::key) {
    // While text is typed into a widget only the keys with Ctrl that mean nothing there are the viewer's.
    const bool quits = event.code == GLFW_KEY_Q && (event.modifiers & GLFW_MOD_CONTROL) != 0;
    if (!io.WantTextInput || quits) handle_key(event);
    return;
  }
  const bool for_panel =
      io.WantCaptureMouse && !(event.kind == InputEvent::Kind::mouse_button && !event.pressed);
  if (for_panel) {
    camera_.release();
  } else if (session_.has_dataset()) {
    if (const auto where = camera_.handle(event)) click(*where);
  }
}

void Viewer::move_camera(double seconds) {
  // In a film time goes on from frame to frame of it.
  if (!films_.records()) camera_.advance(seconds);
  gui_.make_current();
  if (!ImGui::GetIO().WantTextInput) camera_.fly(seconds);
}

/// A click selects one of several galaxies, or a body of a single one. The trail that it gets is not a
/// setting: it is not saved and cannot be undone.
void Viewer::click(const Click& where) {
  in_view(session_, where.view, [&] {
    const double aspect = where.view.aspect();
    if (session_.summary().galaxies > 1) return session_.single_out_under(where.cursor, aspect);
    options_.note();
    closer_.pick(session_, where.cursor, aspect, where.view.size.y);
    options_.accept();
  });
}

void Viewer::toggle_following() {
  if (!closer_.toggle_following(session_)) messages_.say("click on a body first: this key follows it");
}

/// While a list is open all keys are its own, but for the end of the program and those that type nothing:
/// pictures and films are taken of lists too.
void Viewer::handle_chooser(const InputEvent& event) {
  if (with_ctrl(event, GLFW_KEY_Q)) return leave();
  if (event.kind == InputEvent::Kind::key && event.code >= GLFW_KEY_F1 && event.code <= GLFW_KEY_F12)
    return handle_key(event);
  // The key that opened a list closes it.
  if (with_ctrl(event, GLFW_KEY_P)) return chooser_.close();
  if (with_ctrl(event, GLFW_KEY_D) && chooser_.shows(demo_list_name)) return chooser_.close();
  drive(chooser_, event, window_);
}

/// The sheet that asks for columns has Enter and Esc; pictures are taken of it, too.
void Viewer::handle_sheet(const InputEvent& event) {
  if (with_ctrl(event, GLFW_KEY_Q)) return leave();
  if (event.code >= GLFW_KEY_F1 && event.code <= GLFW_KEY_F12) return handle_key(event);
  if (!event.pressed) return;
  if (event.code == GLFW_KEY_ENTER || event.code == GLFW_KEY_KP_ENTER) sheet_.accept();
  if (event.code == GLFW_KEY_ESCAPE) sheet_.dismiss();
}

/// The digits alone, and with Shift.
bool Viewer::handle_bookmark_key(int key, int modifiers) {
  const bool keeps = modifiers == GLFW_MOD_SHIFT;
  if (key < GLFW_KEY_1 || key > GLFW_KEY_9 || (modifiers != 0 && !keeps)) return false;
  if (keeps)
    camera_.keep_bookmark(key - GLFW_KEY_1);
  else
    camera_.go_to_bookmark(key - GLFW_KEY_1);
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
  if (!messages_.problem().empty()) {
    messages_.problem().clear();
  } else if (gallery_.is_open()) {
    gallery_.close();
  } else if (demo_.run().running()) {
    demo_.end();
  } else if (settings_.help_visible) {
    settings_.help_visible = false;
  } else if (closer_.active()) {
    closer_.release(session_);
    options_.accept();
  } else {
    session_.show_all_galaxies();
  }
}

void Viewer::go_on() {
  if (demo_.run().playing())
    demo_.go_on();
  else
    session_.paused = !session_.paused;
}

}  // namespace orrery::app
