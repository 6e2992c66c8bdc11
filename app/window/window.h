#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gui.h"

namespace orrery::app {

/// The input events since the last poll, in order.
struct InputEvent {
  enum class Kind { key, text, mouse_button, scroll, cursor, drop };
  Kind kind = Kind::key;
  int code = 0;                              ///< GLFW key or mouse button
  int modifiers = 0;                         ///< GLFW_MOD_*
  bool pressed = false;                      ///< key, mouse_button
  bool repeated = false;                     ///< key: pressed again and again because it is held
  glm::dvec2 position{0};                    ///< cursor position in window units; scroll: the amount
  std::string text;                          ///< text: a letter, in UTF-8
  std::vector<std::filesystem::path> files;  ///< drop
};

/// The surface that the viewer draws into and takes its input from: on a display, or in a browser.
///
/// Its OpenGL 4.5 core context is current on the thread that made it, for the window's whole life.
class Window {
 public:
  Window() = default;
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  virtual ~Window() = default;

  /// Feeds Dear ImGui with this window's input. Needs a current ImGui context; must not outlive the window.
  virtual std::unique_ptr<GuiInput> make_gui_input() = 0;
  /// The OpenGL framebuffer to draw into, of framebuffer_size() pixels; another one after a change of size.
  virtual unsigned framebuffer() const = 0;
  /// Pixels; differs from `size` on HiDPI displays. Zero while minimized.
  virtual glm::ivec2 framebuffer_size() const = 0;
  virtual glm::ivec2 size() const = 0;
  /// The size to begin with next time: the same, or that before the window filled the screen. None where it
  /// is the size of another computer's window.
  virtual std::optional<glm::ivec2> windowed_size() const = 0;
  /// The factor by which this display needs larger text, in window units.
  virtual float content_scale() const = 0;
  /// True if fingers press what is drawn, on a touch screen.
  virtual bool has_fingers() const { return false; }
  virtual bool closing() const = 0;
  /// Ends the window, and with it the program.
  virtual void close() = 0;
  /// True if others may look at it too, in browsers: the person who drives can leave, and it goes on.
  virtual bool is_served() const { return false; }
  /// The person who drives is done with it: says farewell to that browser, or closes.
  virtual void leave() { close(); }
  virtual void set_title(const std::string& title) = 0;
  virtual void toggle_fullscreen() = 0;
  virtual bool key_down(int key) const = 0;
  virtual glm::dvec2 cursor() const = 0;
  virtual std::string clipboard() const = 0;
  virtual void set_clipboard(const std::string& text) = 0;

  /// Puts the panel's last frame over what was drawn.
  virtual void draw(const Gui& gui) { gui.draw(framebuffer()); }
  /// Collects input, waiting up to `seconds` for some to come.
  virtual std::vector<InputEvent> poll(double seconds) = 0;
  /// Presents what was drawn.
  virtual void swap() = 0;
};

}  // namespace orrery::app
