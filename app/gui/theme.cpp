#include "app/gui/theme.h"

#include <array>

#include "sim/simulation/monitor.h"

namespace orrery::app {

void begin_card(const char* name, ImVec2 at, ImVec2 pivot, ImVec2 padding, float scale, float visibility) {
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  ImGui::SetNextWindowBgAlpha(0.86F * visibility);
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, visibility);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding.x * scale, padding.y * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 10.0F * scale);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, {0.03F, 0.04F, 0.07F, 1.0F});
  ImGui::PushStyleColor(ImGuiCol_Text, {0.94F, 0.95F, 0.98F, 1.0F});
  ImGui::Begin(
      name, nullptr,
      bare_window | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav);
}

void end_card() {
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(3);
}

namespace {

/// Told by the ground itself: every context has its own.
bool is_light() { return ImGui::GetStyleColorVec4(ImGuiCol_WindowBg).y > 0.5F; }

ImVec4 either(ImVec4 on_dark, ImVec4 on_light) { return is_light() ? on_light : on_dark; }

ImU32 either(ImU32 on_dark, ImU32 on_light) { return is_light() ? on_light : on_dark; }

/// A colour of Dear ImGui's that is not as it comes with it.
struct OwnColor {
  ImGuiCol which;
  ImVec4 dark, light;
};
const auto own_colors = std::to_array<OwnColor>({
    {ImGuiCol_Text, {0.91F, 0.93F, 0.96F, 1.0F}, {0.08F, 0.10F, 0.14F, 1.0F}},
    {ImGuiCol_TextDisabled, {0.57F, 0.61F, 0.68F, 1.0F}, {0.37F, 0.41F, 0.48F, 1.0F}},
    {ImGuiCol_WindowBg, {0.055F, 0.065F, 0.09F, 0.93F}, {0.945F, 0.95F, 0.96F, 0.98F}},
    {ImGuiCol_PopupBg, {0.075F, 0.09F, 0.125F, 1.0F}, {0.985F, 0.988F, 0.993F, 1.0F}},
    {ImGuiCol_Border, {0.30F, 0.36F, 0.47F, 0.45F}, {0.45F, 0.50F, 0.58F, 0.5F}},
    {ImGuiCol_FrameBg, {0.15F, 0.18F, 0.25F, 0.85F}, {0.84F, 0.865F, 0.905F, 1.0F}},
    {ImGuiCol_FrameBgHovered, {0.20F, 0.25F, 0.35F, 1.0F}, {0.78F, 0.82F, 0.89F, 1.0F}},
    {ImGuiCol_FrameBgActive, {0.23F, 0.30F, 0.43F, 1.0F}, {0.72F, 0.79F, 0.90F, 1.0F}},
    {ImGuiCol_TitleBg, {0.09F, 0.12F, 0.19F, 0.97F}, {0.80F, 0.84F, 0.90F, 1.0F}},
    {ImGuiCol_TitleBgActive, {0.09F, 0.12F, 0.19F, 0.97F}, {0.80F, 0.84F, 0.90F, 1.0F}},
    {ImGuiCol_Button, {0.19F, 0.26F, 0.39F, 1.0F}, {0.73F, 0.80F, 0.90F, 1.0F}},
    {ImGuiCol_ButtonHovered, {0.25F, 0.36F, 0.54F, 1.0F}, {0.63F, 0.74F, 0.91F, 1.0F}},
    {ImGuiCol_ButtonActive, {0.29F, 0.43F, 0.66F, 1.0F}, {0.52F, 0.68F, 0.92F, 1.0F}},
    {ImGuiCol_Header, {0.17F, 0.22F, 0.32F, 0.75F}, {0.79F, 0.83F, 0.90F, 0.9F}},
    {ImGuiCol_HeaderHovered, {0.22F, 0.30F, 0.44F, 0.9F}, {0.70F, 0.78F, 0.90F, 1.0F}},
    {ImGuiCol_HeaderActive, {0.25F, 0.36F, 0.54F, 1.0F}, {0.62F, 0.73F, 0.90F, 1.0F}},
    // The number is read on it.
    {ImGuiCol_SliderGrab, {0.38F, 0.58F, 0.88F, 0.5F}, {0.26F, 0.47F, 0.80F, 0.4F}},
    {ImGuiCol_SliderGrabActive, {0.48F, 0.68F, 0.98F, 0.55F}, {0.18F, 0.38F, 0.72F, 0.45F}},
    {ImGuiCol_CheckMark, {0.50F, 0.72F, 1.0F, 1.0F}, {0.13F, 0.36F, 0.74F, 1.0F}},
    {ImGuiCol_PlotHistogram, {0.38F, 0.58F, 0.88F, 1.0F}, {0.35F, 0.56F, 0.87F, 1.0F}},
    {ImGuiCol_PlotLines, {0.62F, 0.74F, 0.92F, 1.0F}, {0.16F, 0.34F, 0.64F, 1.0F}},
    {ImGuiCol_TableHeaderBg, {0.13F, 0.17F, 0.25F, 1.0F}, {0.80F, 0.84F, 0.90F, 1.0F}},
    {ImGuiCol_ScrollbarBg, {0.0F, 0.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F, 0.0F}},
});

void set_colors(Theme theme, ImVec4* colors) {
  const bool light = theme == Theme::light;
  ImGui::StyleColorsDark();
  if (light) ImGui::StyleColorsLight();
  for (const auto& own : own_colors) colors[own.which] = light ? own.light : own.dark;
  if (light) colors[ImGuiCol_TableRowBgAlt] = {0.0F, 0.0F, 0.0F, 0.04F};
}

void set_sizes(ImGuiStyle& style) {
  style.WindowRounding = 6.0F;
  style.FrameRounding = 4.0F;
  style.GrabRounding = 4.0F;
  style.PopupRounding = 5.0F;
  style.ScrollbarRounding = 6.0F;
  style.ScrollbarSize = 11.0F;
  style.WindowBorderSize = 0.0F;
  style.PopupBorderSize = 1.0F;
  style.WindowPadding = {10.0F, 8.0F};
  style.FramePadding = {6.0F, 2.0F};
  style.ItemSpacing = {8.0F, 4.0F};
  style.IndentSpacing = 16.0F;
  style.SelectableTextAlign = {0.0F, 0.5F};
}

/// With text of 15 units rows are 44 apart, which is what phones advise.
void set_sizes_for_fingers(ImGuiStyle& style) {
  style.FramePadding = {8.0F, 12.0F};
  style.ItemSpacing = {8.0F, 5.0F};
  style.GrabMinSize = 24.0F;
  style.TouchExtraPadding = {0.0F, 2.0F};
}

}  // namespace

const char* name_of(Theme theme) { return theme == Theme::light ? "light" : "dark"; }

Theme theme_of(const std::string& name) { return name == "light" ? Theme::light : Theme::dark; }

void apply_theme(Theme theme, float scale, Pointing pointing) {
  auto& style = ImGui::GetStyle();
  style = ImGuiStyle();
  set_colors(theme, style.Colors);
  set_sizes(style);
  if (pointing == Pointing::finger) set_sizes_for_fingers(style);
  style.ScaleAllSizes(scale);
}

bool is_for_fingers() { return ImGui::GetStyle().TouchExtraPadding.y > 0.0F; }

ImVec4 good_color() { return either({0.35F, 0.85F, 0.45F, 1.0F}, {0.05F, 0.47F, 0.18F, 1.0F}); }
ImVec4 doubtful_color() { return either({0.98F, 0.75F, 0.25F, 1.0F}, {0.60F, 0.38F, 0.0F, 1.0F}); }
ImVec4 wrong_color() { return either({1.0F, 0.35F, 0.32F, 1.0F}, {0.74F, 0.08F, 0.08F, 1.0F}); }
ImVec4 color_of(sim::Verdict verdict) {
  if (verdict == sim::Verdict::good) return good_color();
  return verdict == sim::Verdict::doubtful ? doubtful_color() : wrong_color();
}

ImVec4 accent_color() { return either({0.62F, 0.78F, 1.0F, 1.0F}, {0.10F, 0.32F, 0.68F, 1.0F}); }
ImU32 bar_color() { return either(IM_COL32(64, 118, 178, 255), IM_COL32(150, 188, 232, 255)); }
ImU32 running_bar_color() { return either(IM_COL32(72, 150, 96, 255), IM_COL32(140, 208, 160, 255)); }
ImU32 empty_color() { return either(IM_COL32(38, 41, 48, 255), IM_COL32(216, 221, 230, 255)); }
ImU32 hatch_color() { return either(IM_COL32(92, 96, 106, 255), IM_COL32(150, 156, 168, 255)); }
ImU32 outline_color() { return either(IM_COL32(255, 255, 255, 255), IM_COL32(10, 14, 22, 255)); }

}  // namespace orrery::app
