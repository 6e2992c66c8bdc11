#include "app/window/chooser_keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <array>

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

}  // namespace

void drive(Chooser& chooser, const InputEvent& event, const std::function<std::string()>& clipboard) {
  if (event.kind == InputEvent::Kind::text) return chooser.type(event.text);
  if (!event.pressed) return;
  if (with_ctrl(event, GLFW_KEY_V)) {
    const auto text = clipboard();
    return chooser.type(text.substr(0, text.find_first_of("\r\n")));
  }
  if (with_ctrl(event, GLFW_KEY_BACKSPACE) || with_ctrl(event, GLFW_KEY_U))
    return chooser.press(Chooser::Key::erase_all);
  for (const auto& [key, meaning] : meanings)
    if (key == event.code) return chooser.press(meaning);
}

bool is_quit_key(const InputEvent& event) { return with_ctrl(event, GLFW_KEY_Q); }

bool closes_palette(const InputEvent& event) { return with_ctrl(event, GLFW_KEY_P); }

}  // namespace orrery::app
