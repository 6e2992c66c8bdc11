#pragma once

#include "app/gui/gui_input.h"

struct GLFWwindow;

namespace orrery::app {

/// Dear ImGui's own backend for GLFW. It chains the callbacks that are installed already.
class GlfwGuiInput : public GuiInput {
 public:
  explicit GlfwGuiInput(GLFWwindow* window);
  ~GlfwGuiInput() override;
  void begin_frame() override;
};

}  // namespace orrery::app
