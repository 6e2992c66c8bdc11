#pragma once

#include <functional>

#include "app/window/quick_keys.h"
#include "app/window/window.h"

struct GLFWwindow;

namespace orrery::app {

/// Handles the loss of the X server while an object lives: the program ends with one line and the status of a
/// failure, after `keep` has saved what it can without a display. Xlib would end it with a text of its own.
/// Create it when a window is open.
class DisplayLoss {
 public:
  explicit DisplayLoss(std::function<void()> keep);
  DisplayLoss(const DisplayLoss&) = delete;
  DisplayLoss& operator=(const DisplayLoss&) = delete;
  ~DisplayLoss();
};

/// A GLFW window on a display.
class DisplayWindow : public Window {
 public:
  enum class Look { normal, fullscreen, hidden };
  /// Throws render::Error with cause and remedy: no display, or no OpenGL 4.5.
  DisplayWindow(glm::ivec2 size, const std::string& title, Look look);
  ~DisplayWindow() override;

  /// True if a window could be opened: a display answers.
  static bool available();

  std::unique_ptr<GuiInput> make_gui_input() override;
  unsigned framebuffer() const override { return 0; }
  glm::ivec2 framebuffer_size() const override;
  glm::ivec2 size() const override;
  std::optional<glm::ivec2> windowed_size() const override;
  float content_scale() const override;
  bool closing() const override;
  void close() override;
  void set_title(const std::string& title) override;
  void toggle_fullscreen() override;
  bool key_down(int key) const override;
  glm::dvec2 cursor() const override;
  std::string clipboard() const override;
  void set_clipboard(const std::string& text) override;
  std::vector<InputEvent> poll(double seconds) override;
  void swap() override;

 private:
  /// Input since it was taken last. The callbacks find it at the window.
  struct Received {
    std::vector<InputEvent> events;
    std::vector<Typed> typed;  ///< for Dear ImGui
  };
  static Received& received(GLFWwindow* handle);
  static void remember(GLFWwindow* handle, InputEvent event);
  static void install_callbacks(GLFWwindow* handle);

  GLFWwindow* handle_ = nullptr;
  Received received_;
  glm::ivec4 windowed_{0};  ///< position and size before fullscreen
};

}  // namespace orrery::app
