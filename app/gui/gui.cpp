#include "app/gui/gui.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/font.h"
#include "app/gui/imgui_compat.h"
#include "render/context/target.h"
#include "render/error.h"

namespace orrery::app {

namespace {

constexpr float smallest_scale = 0.1F;
/// Places in the atlas of the fonts, in the order in which they are added.
constexpr int large_place = 1, huge_place = 2, caption_place = 3, hall_place = 4, factor_place = 5;
constexpr std::array hall_sizes{44.0F, 28.0F, 96.0F};

ImFont* font_or(int place, int otherwise) {
  const auto& fonts = ImGui::GetIO().Fonts->Fonts;
  return fonts[place < fonts.Size ? place : otherwise];
}

}  // namespace

float hall_scale(glm::vec2 size) { return std::min(size.x / 1920.0F, size.y / 1080.0F); }

bool is_narrow(glm::vec2 window, float scale) { return window.x < 584.0F * scale; }

bool is_low(glm::vec2 window, float scale) { return window.y < 440.0F * scale; }

// Dear ImGui ends the program where a window of its own or a letter would be smaller than a pixel.
Gui::Gui(float scale, Theme theme)
    : context_(ImGui::CreateContext()), scale_(std::max(scale, smallest_scale)), theme_(theme) {
  set_up();
}

Gui::Gui(const MakeInput& make_input, float scale, Theme theme) : Gui(scale, theme) { input_ = make_input(); }

/// The large ones are fonts of their own: enlarged text would be blurred.
void Gui::set_fonts() const {
  auto& fonts = *ImGui::GetIO().Fonts;
  add_font(fonts, 15.0F * scale_, Signs::panel);
  add_font(fonts, 25.0F * scale_, Signs::panel);
  add_font(fonts, 38.0F * scale_, Signs::panel);
  if (hall_ <= 0.0F) return;
  // A phone is read from nearby, but its picture is small: what is for a hall is no smaller there than the
  // rest.
  const float least = pointing_ == Pointing::finger ? 15.0F * scale_ : 0.0F;
  for (const float size : hall_sizes) add_font(fonts, std::max(size * hall_, least), Signs::panel);
}

void Gui::set_up() {
  make_current();
  auto& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  apply_theme(theme_, scale_);
  set_fonts();
  if (!set_up_backend()) throw render::Error("Dear ImGui cannot set up its OpenGL backend");
}

void Gui::restyle(float scale, Theme theme, Pointing pointing) {
  scale = std::max(scale, smallest_scale);
  if (scale == scale_ && theme == theme_ && pointing == pointing_) return;
  make_current();
  const bool other_letters = scale != scale_ || pointing != pointing_;
  scale_ = scale;
  theme_ = theme;
  pointing_ = pointing;
  apply_theme(theme_, scale_, pointing_);
  if (other_letters) renew_fonts();
}

void Gui::renew_fonts() {
  clear_fonts();
  set_fonts();
  ++letters_;
}

void Gui::set_hall(glm::vec2 size) {
  // In steps: a window that is being resized does not draw all letters anew in every frame.
  constexpr float step = 0.025F;
  const float scale = size.y > 0.0F ? std::max(std::round(hall_scale(size) / step) * step, 0.25F) : 0.0F;
  if (scale == hall_) return;
  hall_ = scale;
  make_current();
  renew_fonts();
}

Gui::~Gui() {
  make_current();
  ImGui_ImplOpenGL3_Shutdown();
  input_.reset();
  ImGui::DestroyContext(context_);
}

ImFont* Gui::large_font() { return ImGui::GetIO().Fonts->Fonts[large_place]; }

ImFont* Gui::huge_font() { return ImGui::GetIO().Fonts->Fonts[huge_place]; }

ImFont* Gui::caption_font() { return font_or(caption_place, huge_place); }

ImFont* Gui::hall_font() { return font_or(hall_place, large_place); }

ImFont* Gui::factor_font() { return font_or(factor_place, huge_place); }

void Gui::make_current() const { ImGui::SetCurrentContext(context_); }

void Gui::frame(glm::vec2 size, glm::ivec2 pixels, const std::function<void()>& build) {
  make_current();
  begin_backend_frame();
  if (input_ != nullptr) input_->begin_frame();
  auto& io = ImGui::GetIO();
  io.DisplaySize = {size.x, size.y};
  io.DisplayFramebufferScale = {static_cast<float>(pixels.x) / size.x, static_cast<float>(pixels.y) / size.y};
  if (input_ == nullptr) io.DeltaTime = 1.0F / 60.0F;
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
