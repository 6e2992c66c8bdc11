#include "app/gui/gui.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>

#include "app/gui/font.h"
#include "render/error.h"
#include "render/target.h"

namespace orrery::app {

namespace {

constexpr float smallest_scale = 0.1F;

void set_style(float scale) {
  ImGui::StyleColorsDark();
  auto& style = ImGui::GetStyle();
  style.WindowRounding = 6.0F;
  style.FrameRounding = 3.0F;
  style.GrabRounding = 3.0F;
  style.WindowBorderSize = 0.0F;
  style.ItemSpacing = {8.0F, 5.0F};
  style.Colors[ImGuiCol_WindowBg] = {0.06F, 0.07F, 0.10F, 0.88F};
  style.Colors[ImGuiCol_PopupBg] = {0.07F, 0.08F, 0.11F, 1.0F};
  style.Colors[ImGuiCol_Header] = {0.20F, 0.28F, 0.42F, 0.55F};
  style.Colors[ImGuiCol_FrameBg] = {0.16F, 0.20F, 0.29F, 0.75F};
  style.Colors[ImGuiCol_TitleBgActive] = {0.11F, 0.16F, 0.27F, 0.95F};
  style.ScaleAllSizes(scale);
}

}  // namespace

// Dear ImGui ends the program where a window of its own or a letter would be smaller than a pixel.
Gui::Gui(float scale) : context_(ImGui::CreateContext()), scale_(std::max(scale, smallest_scale)) {
  set_up();
}

Gui::Gui(GLFWwindow* window, float scale) : context_(ImGui::CreateContext()), window_(window), scale_(scale) {
  set_up();
  ImGui_ImplGlfw_InitForOpenGL(window, true);
}

void Gui::set_up() {
  make_current();
  auto& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  set_style(scale_);
  // The large one is a font of its own: enlarged text would be blurred.
  add_font(*io.Fonts, 15.0F * scale_, Signs::panel);
  add_font(*io.Fonts, 25.0F * scale_, Signs::panel);
  if (!ImGui_ImplOpenGL3_Init("#version 450 core"))
    throw render::Error("Dear ImGui cannot set up its OpenGL backend");
}

Gui::~Gui() {
  make_current();
  ImGui_ImplOpenGL3_Shutdown();
  if (window_ != nullptr) ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext(context_);
}

ImFont* Gui::large_font() { return ImGui::GetIO().Fonts->Fonts.back(); }

void Gui::make_current() const { ImGui::SetCurrentContext(context_); }

void Gui::frame(glm::vec2 size, glm::ivec2 pixels, const std::function<void()>& build) {
  make_current();
  ImGui_ImplOpenGL3_NewFrame();
  if (window_ != nullptr) ImGui_ImplGlfw_NewFrame();
  auto& io = ImGui::GetIO();
  io.DisplaySize = {size.x, size.y};
  io.DisplayFramebufferScale = {static_cast<float>(pixels.x) / size.x, static_cast<float>(pixels.y) / size.y};
  if (window_ == nullptr) io.DeltaTime = 1.0F / 60.0F;
  ImGui::NewFrame();
  build();
  ImGui::Render();
}

void Gui::draw(unsigned framebuffer) const {
  make_current();
  render::draw_into(framebuffer);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace orrery::app
