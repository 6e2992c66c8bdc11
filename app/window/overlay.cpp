#include "app/window/overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/gui.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/live/laboratory.h"
#include "app/panels/option_widgets.h"
#include "app/window/commands.h"
#include "lab/setup/progress_line.h"

namespace orrery::app {

namespace {

/// The width that the longest line of the help needs, at scale 1.
constexpr float width_of_help = 960.0F;

void key_row(const char* name, const char* meaning) {
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(-1.0F);
  ImGui::TextColored(accent_color(), "%s", name);
  ImGui::PopTextWrapPos();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(meaning);
}

/// A window of its own size, in the middle of what is free beside the panel; `height` is a part of the
/// window's, and `pivot` which part of the message stands there.
void begin_message(const char* name, float left, float height, float pivot, ImGuiWindowFlags more = 0) {
  const auto size = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * (left + size.x), height * size.y}, ImGuiCond_Always, {0.5F, pivot});
  ImGui::SetNextWindowBgAlpha(0.92F);
  ImGui::Begin(name, nullptr, bare_window | ImGuiWindowFlags_NoFocusOnAppearing | more);
}

std::string loan_text(const PhysicsOverride& loan) {
  std::string text = "The ladder set these. Restore gives your values back.\n";
  for (const auto& item : loan.items()) {
    text +=
        fmt::format("\n{}: {} (yours: {})", item.option, sim::to_string(item.lent), sim::to_string(item.own));
  }
  return text;
}

/// The meanings take what the keys leave.
void set_narrow_columns() {
  ImGui::TableSetupColumn("key", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("meaning", ImGuiTableColumnFlags_WidthStretch);
}

void draw_key_table(bool narrow, WidgetMap& widgets) {
  if (!ImGui::BeginTable("keys", 2)) return;
  if (narrow) set_narrow_columns();
  ImGui::PushTextWrapPos(narrow ? 0.0F : -1.0F);
  key_row("drag", "turn the view");
  widgets.note("help");
  key_row("right drag, Shift+drag", "move the view");
  key_row("wheel", "zoom");
  key_row("Ctrl+wheel", "zoom towards the cursor");
  key_row("click", "select a body and show its data; click empty space to deselect");
  key_row("click", "of several galaxies: single out a galaxy; beside all galaxies: show all");
  key_row("double click", "centre on the bodies under the cursor");
  key_row("drop a file", "open a dataset, a picture or a state");
  key_row("1 to 9", "go to the view kept under that key");
  key_row("Shift+1 to 9", "keep this view under that key");
  for (const auto& binding : key_bindings()) key_row(binding.name, binding.meaning);
  ImGui::PopTextWrapPos();
  ImGui::EndTable();
}

}  // namespace

bool draw_panel_button(float scale, WidgetMap& widgets) {
  const float margin = 10.0F * scale, side = panel_button_side * scale;
  ImGui::SetNextWindowPos({margin, margin});
  ImGui::SetNextWindowSize({side, side});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1.0F, 1.0F});
  ImGui::Begin("##panel-button", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
  const bool clicked = ImGui::InvisibleButton("open", {side, side});
  widgets.note("open-panel");
  const auto corner = ImGui::GetWindowPos();
  auto& canvas = *ImGui::GetWindowDrawList();
  const auto color =
      ImGui::GetColorU32(ImGui::IsItemHovered() ? accent_color() : ImGui::GetStyleColorVec4(ImGuiCol_Text));
  for (const float line : {0.32F, 0.5F, 0.68F})
    canvas.AddLine({corner.x + 0.25F * side, corner.y + line * side},
                   {corner.x + 0.75F * side, corner.y + line * side}, color, 3.0F * scale);
  tooltip("The panel: galaxies, engine, measurements, look. Key: Tab.");
  ImGui::End();
  ImGui::PopStyleVar(2);
  return clicked;
}

bool draw_hint(float left, WidgetMap& widgets) {
  begin_message("##hint", left, 0.5F, 0.5F, ImGuiWindowFlags_NoBackground);
  const char* text = "Drop a dataset here, or choose one: Ctrl+O shows files, Ctrl+P finds anything.";
  const char* label = "Show the built-in galaxies";
  const float width = std::max(0.9F * (ImGui::GetIO().DisplaySize.x - left), 1.0F);
  const float text_width = ImGui::CalcTextSize(text, nullptr, false, width).x;
  ImGui::PushTextWrapPos(width);
  ImGui::TextColored({0.63F, 0.65F, 0.69F, 1.0F}, "%s", text);
  ImGui::PopTextWrapPos();
  ImGui::SetCursorPosX(std::max(0.5F * (text_width - ImGui::CalcTextSize(label).x), 0.0F));
  const bool clicked = named_button(widgets, "hint-galaxies", label);
  ImGui::End();
  return clicked;
}

void draw_notice(float left, float scale, const Loader* loader, std::string& problem, WidgetMap& widgets) {
  if (loader == nullptr && problem.empty()) return;
  const auto size = ImGui::GetIO().DisplaySize;
  const float middle = 0.5F * (left + size.x);
  ImGui::SetNextWindowPos({middle, size.y * 0.5F}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min((size.x - left) * 0.9F, 460.0F * scale), 0.0F});
  ImGui::Begin("##notice", nullptr, bare_window);
  if (loader != nullptr) {
    ImGui::TextWrapped("Loading %s", loader->what().c_str());
    ImGui::ProgressBar(loader->fraction());
    widgets.note("loading");
  }
  if (!problem.empty()) {
    wrapped_text(problem);
    if (named_button(widgets, "close-problem", "Close")) problem.clear();
  }
  ImGui::End();
}

bool draw_physics_banner(float left, float top, const PhysicsOverride& loan, WidgetMap& widgets) {
  if (!loan.active()) return false;
  begin_message("##physics", left, top / std::max(ImGui::GetIO().DisplaySize.y, 1.0F), 0.0F);
  ImGui::AlignTextToFramePadding();
  ImGui::Text("physics of rung %s", loan.rung().c_str());
  tooltip(loan_text(loan));
  widgets.note("physics-banner");
  ImGui::SameLine();
  const bool clicked = named_button(widgets, "restore-physics", "restore", loan_text(loan));
  ImGui::End();
  return clicked;
}

void draw_paused(float left, float scale, WidgetMap& widgets) {
  const auto amber = ImGui::ColorConvertFloat4ToU32({0.98F, 0.75F, 0.25F, 1.0F});
  constexpr ImU32 ink = IM_COL32(24, 18, 4, 255);
  const auto size = ImGui::GetIO().DisplaySize;
  auto* font = Gui::large_font();
  const float height = letter_height(*font);
  const char* text = "PAUSED";
  const char* hint = is_for_fingers() ? "" : "Space runs";
  const float words = font->CalcTextSizeA(height, FLT_MAX, 0.0F, text).x;
  const float hint_width = ImGui::CalcTextSize(hint).x;
  const float gap = 10.0F * scale, bar = 0.22F * height;
  const float width = 3.0F * bar + words + hint_width + 4.0F * gap;
  // In the corner: the middle of the top is the banners'.
  const ImVec2 low{size.x - width - 14.0F * scale, 14.0F * scale};
  const ImVec2 high{low.x + width, low.y + 1.5F * height};
  if (width > size.x - left) return;
  // Under all windows: a message may come over it.
  auto& canvas = *ImGui::GetBackgroundDrawList();
  canvas.AddRectFilled(low, high, amber, 0.75F * height);
  float x = low.x + gap;
  const float top = low.y + 0.25F * height;
  for (int k = 0; k < 2; ++k)
    canvas.AddRectFilled({x + 2.0F * bar * static_cast<float>(k), top + 0.12F * height},
                         {x + bar * (2.0F * static_cast<float>(k) + 1.0F), top + 0.92F * height}, ink, 1.0F);
  x += 3.0F * bar + gap;
  canvas.AddText(font, height, {x, top}, ink, text);
  canvas.AddText(ImGui::GetFont(), ImGui::GetFontSize(),
                 {x + words + gap, low.y + 0.75F * height - 0.5F * ImGui::GetFontSize()}, ink, hint);
  widgets.note_box("paused", {low.x, low.y}, {high.x, high.y});
}

void draw_flying(float left, float top, const std::string& speed, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  begin_message("##flying", left, top / std::max(size.y, 1.0F), 0.0F, ImGuiWindowFlags_NoInputs);
  ImGui::TextColored(accent_color(), "FLYING");
  widgets.note("flying");
  ImGui::SameLine();
  ImGui::Text("%s", speed.c_str());
  ImGui::TextDisabled("W A S D Q E move, the wheel changes the speed, F ends it");
  ImGui::End();
}

void draw_replay(float left, float scale, std::uint64_t step, std::uint64_t target, WidgetMap& widgets) {
  begin_message("##replay", left, 0.5F, 0.5F, ImGuiWindowFlags_NoInputs);
  ImGui::Text("%s", fmt::format("Back to the picture: step {} of {}", step, target).c_str());
  ImGui::ProgressBar(target > 0 ? static_cast<float>(step) / static_cast<float>(target) : 1.0F,
                     {340.0F * scale, 0.0F});
  widgets.note("replay");
  ImGui::End();
}

void draw_film_mark(float scale, bool paused, const FilmStatus& status, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  auto text = status.ends ? std::string("completing the film") : film_time(status.frames, status.rate);
  if (status.wanted && !status.ends) text += fmt::format(" of {}", film_time(*status.wanted, status.rate));
  if (status.seconds_left > 0.0 && !status.ends)
    text += ", " + lab::duration_text(status.seconds_left) + " left";
  const float top =
      10.0F * scale + (paused ? 1.5F * letter_height(*Gui::large_font()) + 10.0F * scale : 0.0F);
  ImGui::SetNextWindowPos({size.x - 10.0F * scale, top}, ImGuiCond_Always, {1.0F, 0.0F});
  ImGui::SetNextWindowBgAlpha(0.8F);
  ImGui::Begin("##film", nullptr,
               bare_window | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing);
  const float height = ImGui::GetFontSize();
  const auto at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddCircleFilled(
      {at.x + 0.5F * height, at.y + 0.5F * height}, 0.36F * height,
      status.ends ? IM_COL32(170, 170, 170, 255) : IM_COL32(235, 50, 45, 255));
  ImGui::Dummy({height, height});
  ImGui::SameLine();
  ImGui::TextUnformatted(text.c_str());
  widgets.note(status.ends ? "film-ends" : "film-mark");
  ImGui::End();
}

void draw_help(float scale, bool& visible, WidgetMap& widgets) {
  const auto size = ImGui::GetIO().DisplaySize;
  const float margin = 10.0F * scale;
  // Never higher than the window: it scrolls where there is no room for all keys.
  const ImVec2 room{std::max(size.x - 2.0F * margin, 32.0F), std::max(size.y - 2.0F * margin, 32.0F)};
  ImGui::SetNextWindowPos({size.x - margin, margin}, ImGuiCond_Always, {1.0F, 0.0F});
  const bool narrow = room.x < width_of_help * scale;
  ImGui::SetNextWindowSizeConstraints({narrow ? room.x : 32.0F, 32.0F}, room);
  constexpr auto flags = ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse;
  // Text of the panel under it must not shine through.
  ImGui::SetNextWindowBgAlpha(0.97F);
  if (ImGui::Begin("Keys and mouse", &visible, flags)) {
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, {4.0F * scale, 0.0F});
    draw_key_table(narrow, widgets);
    ImGui::PopStyleVar();
  }
  ImGui::End();
}

}  // namespace orrery::app
