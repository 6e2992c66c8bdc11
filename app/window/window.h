#pragma once

#include <filesystem>
#include <glm/glm.hpp>
#include <string>
#include <vector>

struct GLFWwindow;

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

/// A GLFW window with an OpenGL 4.5 core context, current on the thread that made it.
class Window {
 public:
  enum class Look { normal, fullscreen, hidden };
  /// Throws render::Error with cause and remedy: no display, or no OpenGL 4.5.
  Window(glm::ivec2 size, const std::string& title, Look look);
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  ~Window();

  /// True if a window could be opened: a display answers.
  static bool available();

  GLFWwindow* handle() const { return handle_; }
  /// Pixels; differs from `size` on HiDPI displays. Zero while minimized.
  glm::ivec2 framebuffer_size() const;
  glm::ivec2 size() const;
  /// The same, or the size before the window filled the screen.
  glm::ivec2 windowed_size() const;
  /// The factor by which this display needs larger text, in window units.
  float content_scale() const;
  bool closing() const;
  void close();
  void set_title(const std::string& title);
  void toggle_fullscreen();
  bool key_down(int key) const;
  glm::dvec2 cursor() const;
  std::string clipboard() const;
  void set_clipboard(const std::string& text);

  /// Collects input, waiting up to `seconds` for some to come.
  std::vector<InputEvent> poll(double seconds);
  void swap();

 private:
  static void install_callbacks(GLFWwindow* handle);

  GLFWwindow* handle_ = nullptr;
  std::vector<InputEvent> events_;
  glm::ivec4 windowed_{0};  ///< position and size before fullscreen
};

}  // namespace orrery::app
