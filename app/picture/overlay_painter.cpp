#include "app/picture/overlay_painter.h"

#include <imgui.h>

#include <cmath>

#include "app/gui/font.h"
#include "app/gui/imgui_compat.h"
#include "render/context/target.h"
#include "render/error.h"

namespace orrery::app {

namespace {

constexpr float small_share = 0.84F;

/// Makes a context the current one, for a while.
class Current {
 public:
  explicit Current(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;
  ~Current() { ImGui::SetCurrentContext(before_); }

 private:
  ImGuiContext* before_;
};

}  // namespace

OverlayPainter::OverlayPainter() {
  auto* const before = ImGui::GetCurrentContext();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(before);
  const Current current(context_);
  auto& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.DeltaTime = 1.0F / 60.0F;
  if (!set_up_backend()) throw render::Error("Dear ImGui cannot set up its OpenGL backend");
}

OverlayPainter::~OverlayPainter() {
  auto* before = ImGui::GetCurrentContext();
  ImGui::SetCurrentContext(context_);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context_);
  if (before == context_) before = nullptr;
  ImGui::SetCurrentContext(before);
}

/// While a window is drawn larger, a size passes with every frame: letters are made for one that stays, or
/// that leaves most of their memory unused.
void OverlayPainter::use_letters(float pixels) {
  const bool stays = pixels == wanted_ || 2.0F * pixels <= loaded_;
  wanted_ = pixels;
  if (pixels == loaded_ || (loaded_ > 0.0F && !stays)) return;
  auto& fonts = *ImGui::GetIO().Fonts;
  clear_fonts();
  add_font(fonts, pixels, Signs::picture);
  add_font(fonts, std::round(small_share * pixels), Signs::picture);
  loaded_ = pixels;
}

void OverlayPainter::draw(const PictureInput& picture, const LegendInfo& info, unsigned framebuffer,
                          glm::ivec2 size, float left, float text_scale) {
  write(picture, info, size, left, text_scale);
  draw_tile({{0, 0}, size}, framebuffer);
}

void OverlayPainter::write(const PictureInput& picture, const LegendInfo& info, glm::ivec2 size, float left,
                           float text_scale) {
  const Current current(context_);
  size_ = size;
  auto& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(size.x), static_cast<float>(size.y)};
  const float usual = picture.look.overlay.text_pixels(io.DisplaySize.x, io.DisplaySize.y);
  use_letters(std::round(text_scale * usual));
  begin_backend_frame();
  ImGui::NewFrame();
  taken_.clear();
  legend_ = draw_picture_overlay({.list = *ImGui::GetBackgroundDrawList(),
                                  .size = io.DisplaySize,
                                  .left = left,
                                  .font = io.Fonts->Fonts.front(),
                                  .small = io.Fonts->Fonts.back(),
                                  .real_font = has_real_font(),
                                  .style = overlay_style(picture.look.light.paper ? 1.0F : 0.0F),
                                  .taken = taken_},
                                 picture, info);
  ImGui::Render();
}

void OverlayPainter::draw_tile(const render::PictureTile& tile, unsigned framebuffer) {
  const Current current(context_);
  auto& data = *ImGui::GetDrawData();
  // Counted from the top.
  const int top = size_.y - tile.corner.y - tile.size.y;
  data.DisplayPos = {static_cast<float>(tile.corner.x), static_cast<float>(top)};
  data.DisplaySize = {static_cast<float>(tile.size.x), static_cast<float>(tile.size.y)};
  render::draw_into(framebuffer);
  ImGui_ImplOpenGL3_RenderDrawData(&data);
}

}  // namespace orrery::app
