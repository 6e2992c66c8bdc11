#pragma once

#include <vector>

#include "app/gui/gui_input.h"
#include "app/window/quick_keys.h"

struct GLFWwindow;

namespace orrery::app {

/// Dear ImGui's own backend for GLFW. It chains the callbacks that are installed already.
class GlfwGuiInput : public GuiInput {
 public:
  /// `typed`: since the last frame, which the window's callbacks add.
  GlfwGuiInput(GLFWwindow* window, std::vector<Typed>& typed);
  ~GlfwGuiInput() override;
  void begin_frame() override;

 private:
  GLFWwindow* window_;
  std::vector<Typed>& typed_;
  QuickKeys keys_;
};

}  // namespace orrery::app
