#pragma once

#include <dlfcn.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>
#include <imgui_internal.h>

#include <cstdint>

// What differs between the versions of Dear ImGui from 1.86 (Debian 12) to 1.92. Nothing else asks for its
// version.
namespace orrery::app {

/// The height for which a font's letters are made.
inline float letter_height(const ImFont& font) {
#if IMGUI_VERSION_NUM >= 19198
  return font.LegacySize;
#else
  return font.FontSize;
#endif
}

/// True if a font has that letter; otherwise it draws a substitute.
inline bool has_letter(ImFont& font, ImWchar letter) {
#if IMGUI_VERSION_NUM >= 19198
  return font.GetFontBaked(font.LegacySize)->FindGlyphNoFallback(letter) != nullptr;
#else
  return font.FindGlyphNoFallback(letter) != nullptr;
#endif
}

/// The wheel over the last item is the item's: it does not scroll the window.
inline void take_wheel() {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
#else
  ImGui::SetItemUsingMouseWheel();
#endif
}

/// The width that a line of the present window has in all.
inline float line_width() {
  return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ImGui::GetCursorStartPos().x;
}

/// The right end of the present window's lines, counted from its left edge.
inline float line_end() { return ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x; }

/// A texture of OpenGL for Dear ImGui, which has numbers or pointers for them.
inline ImTextureID texture_id(unsigned name) {
  return (ImTextureID) static_cast<std::uintptr_t>(name);  // NOLINT
}

/// The texture of OpenGL that Dear ImGui means.
inline unsigned texture_name(ImTextureID id) {
  return static_cast<unsigned>((std::uintptr_t)id);  // NOLINT
}

/// Sets up Dear ImGui's OpenGL backend in the present context; false: it could not.
inline bool set_up_backend() {
  const bool done = ImGui_ImplOpenGL3_Init("#version 450 core");
#if IMGUI_VERSION_NUM >= 19198
  // One texture has all letters until the fonts change, as in earlier versions: browsers are sent it once.
  ImGui::GetIO().BackendFlags &= ~ImGuiBackendFlags_RendererHasTextures;
  // The first backend that ends unloads the libraries whose functions all others call.
  for (const auto* library : {"libOpenGL.so.0", "libEGL.so.1", "libGLX.so.0", "libGL.so", "libGL.so.1"})
    ::dlopen(library, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
#endif
  return done;
}

/// Forgets all fonts and their letters, so that others can be added. Call it between two frames.
inline void clear_fonts() {
#if IMGUI_VERSION_NUM < 19198
  ImGui_ImplOpenGL3_DestroyFontsTexture();
#endif
  ImGui::GetIO().Fonts->Clear();
}

/// Begins the backend's part of a frame. Letters of fonts that were added since the last one are made.
inline void begin_backend_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  auto& atlas = *ImGui::GetIO().Fonts;
#if IMGUI_VERSION_NUM >= 19198
  if (!atlas.IsBuilt()) atlas.Build();
  // Fonts that were cleared before they were drawn leave textures without pixels, which NewFrame removes.
  for (auto* texture : atlas.TexList)
    if (texture->Pixels != nullptr || texture->Status == ImTextureStatus_WantDestroy)
      ImGui_ImplOpenGL3_UpdateTexture(texture);
#else
  if (!atlas.IsBuilt()) ImGui_ImplOpenGL3_CreateFontsTexture();
  atlas.ClearTexData();  // OpenGL has its own copy
#endif
}

}  // namespace orrery::app
