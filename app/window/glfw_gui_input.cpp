#include "app/window/glfw_gui_input.h"

#include <GLFW/glfw3.h>
#include <imgui_impl_glfw.h>

#include <utility>

namespace orrery::app {

GlfwGuiInput::GlfwGuiInput(GLFWwindow* window, std::vector<Typed>& typed) : window_(window), typed_(typed) {
  ImGui_ImplGlfw_InitForOpenGL(window, true);
}

GlfwGuiInput::~GlfwGuiInput() { ImGui_ImplGlfw_Shutdown(); }

void GlfwGuiInput::begin_frame() {
  keys_.begin_frame(std::exchange(typed_, {}),
                    [this](int key) { return glfwGetKey(window_, key) == GLFW_PRESS; });
  ImGui_ImplGlfw_NewFrame();
}

}  // namespace orrery::app
