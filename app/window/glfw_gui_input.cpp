#include "app/window/glfw_gui_input.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

namespace orrery::app {

namespace {

/// These change what other keys mean: a letter that is typed after them must not be taken for a command.
bool is_modifier(int key) { return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER; }

}  // namespace

GlfwGuiInput::GlfwGuiInput(GLFWwindow* window, std::vector<int>& pressed)
    : window_(window), pressed_(pressed) {
  ImGui_ImplGlfw_InitForOpenGL(window, true);
}

GlfwGuiInput::~GlfwGuiInput() { ImGui_ImplGlfw_Shutdown(); }

#if IMGUI_VERSION_NUM < 18700

void GlfwGuiInput::release_late() {
  auto& down = ImGui::GetIO().KeysDown;
  for (const int key : held_)
    if (glfwGetKey(window_, key) != GLFW_PRESS) down[key] = false;
  held_.clear();
}

void GlfwGuiInput::hold_pressed() {
  auto& down = ImGui::GetIO().KeysDown;
  for (const int key : pressed_) {
    if (key < 0 || key >= IM_ARRAYSIZE(down) || down[key] || is_modifier(key)) continue;
    down[key] = true;
    held_.push_back(key);
  }
}

#else

// It keeps what comes too fast for the next frame.
void GlfwGuiInput::release_late() {}
void GlfwGuiInput::hold_pressed() {}

#endif

void GlfwGuiInput::begin_frame() {
  release_late();
  hold_pressed();
  pressed_.clear();
  ImGui_ImplGlfw_NewFrame();
}

}  // namespace orrery::app
