#pragma once

#include <vector>

#include "app/gui/gui_input.h"

struct GLFWwindow;

namespace orrery::app {

/// Dear ImGui's own backend for GLFW. It chains the callbacks that are installed already.
class GlfwGuiInput : public GuiInput {
 public:
  /// `pressed`: GLFW's keys that were pressed since the last frame, which the window's callback adds. The
  /// backend of Dear ImGui before 1.87 sees only keys that are down when a frame begins; with these, one that
  /// is let go before is down for a frame.
  GlfwGuiInput(GLFWwindow* window, std::vector<int>& pressed);
  ~GlfwGuiInput() override;
  void begin_frame() override;

 private:
  void release_late();
  void hold_pressed();

  GLFWwindow* window_;
  std::vector<int>& pressed_;
  std::vector<int> held_;  ///< down for the frame under way only
};

}  // namespace orrery::app
