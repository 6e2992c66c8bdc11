#include "app/window/glfw_gui_input.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>

namespace orrery::app {

GlfwGuiInput::GlfwGuiInput(GLFWwindow* window) { ImGui_ImplGlfw_InitForOpenGL(window, true); }

GlfwGuiInput::~GlfwGuiInput() { ImGui_ImplGlfw_Shutdown(); }

void GlfwGuiInput::begin_frame() { ImGui_ImplGlfw_NewFrame(); }

}  // namespace orrery::app
