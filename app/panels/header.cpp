#include "app/panels/header.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/gui.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/live/headline.h"
#include "app/panels/option_widgets.h"
#include "lab/bench/rates.h"

namespace orrery::app {

namespace {

/// The width that the button which closes the panel takes from the right end of the first line.
float closing_width(const PanelContext& context) {
  const float beyond = close_side * context.scale - ImGui::GetStyle().WindowPadding.x;
  return context.small ? std::max(beyond, 0.0F) : 0.0F;
}

/// Readable on the panel's ground.
ImVec4 verdict_color(const std::optional<sim::Verdict>& verdict) {
  return verdict ? color_of(*verdict) : dim_color();
}

/// A word on a ground of its colour, at the right end of the line.
void badge(PanelContext& context, const Headline& headline) {
  const char* word = word_for(headline);
  const bool only_units = !headline.verdict && !headline.doubt.empty();
  const auto color = only_units ? doubtful_color() : verdict_color(headline.verdict);
  const auto extent = ImGui::CalcTextSize(word);
  const ImVec2 size{extent.x + 1.2F * ImGui::GetFontSize(), 1.5F * ImGui::GetFontSize()};
  ImGui::SameLine(std::max(line_end() - size.x - closing_width(context), 0.0F));
  const auto corner = ImGui::GetCursorScreenPos();
  auto& list = *ImGui::GetWindowDrawList();
  auto ground = color;
  ground.w = 0.18F;
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  list.AddRectFilled(corner, end, ImGui::ColorConvertFloat4ToU32(ground), 0.5F * size.y);
  list.AddRect(corner, end, ImGui::ColorConvertFloat4ToU32(color), 0.5F * size.y);
  list.AddText({corner.x + 0.5F * (size.x - extent.x), corner.y + 0.5F * (size.y - extent.y)},
               ImGui::ColorConvertFloat4ToU32(color), word);
  ImGui::Dummy(size);
  context.widgets.note("header-badge");
  if (!headline.doubt.empty()) context.widgets.note("header-doubt");
  if (headline.verdict)
    tooltip(
        (headline.doubt.empty() ? "" : headline.doubt + "\n\n") +
        fmt::format("Relative error of the force: median {:.1e}, 99 % of the bodies below {:.1e}. More under "
                    "\"Is it right?\".",
                    headline.error, headline.error_p99));
  else if (only_units)
    tooltip(headline.doubt);
  else
    tooltip("The forces of this kernel have not been checked yet. The first check takes a second.");
}

std::string unit_text(const Headline& headline) {
  auto text = headline.few ? std::string("steps/s")
              : headline.interactions_per_body > 0.0
                  ? fmt::format("GI/s, {:.0f} interactions/body", headline.interactions_per_body)
                  : std::string("GInteractions/s");
  return headline.compiling ? text + ", compiling" : text;
}

/// Small text beside the number that ends at `end`: its unit at the foot and, for a tree, what steps take
/// above it.
void beside_rate(const Headline& headline, const ImVec2& end, float large) {
  const float small = ImGui::GetFontSize(), left = end.x + 0.5F * small;
  auto& list = *ImGui::GetWindowDrawList();
  const auto color = ImGui::GetColorU32(ImGuiCol_TextDisabled);
  // Both stand on one line: a font's foot is about four fifths down.
  const float foot = end.y - large + 0.84F * (large - small);
  list.AddText({left, foot}, color, unit_text(headline).c_str());
  const auto steps = step_text(headline);
  if (!steps.empty()) list.AddText({left, foot - 1.2F * small}, color, steps.c_str());
}

/// The number that a room reads.
void rate(PanelContext& context, const Headline& headline) {
  ImGui::PushFont(Gui::huge_font());
  ImGui::TextUnformatted(main_number(headline).c_str());
  const float large = ImGui::GetFontSize();
  ImGui::PopFont();
  beside_rate(headline, ImGui::GetItemRectMax(), large);
  context.widgets.note("header-rate");
  if (headline.interactions_per_body > 0.0) context.widgets.note("header-tree");
  if (headline.few)
    return tooltip("Simulation steps per second. With so few bodies, interactions say little about a step.");
  tooltip(
      "Speed of the forces in 1e9 interactions per second: the median of the evaluations of the last second. "
      "Performance has the history.\nA tree counts the interactions that it evaluates, of a body with a body "
      "or a cell. Other kernels evaluate one for every pair.");
}

/// A bar that a share of the limit fills; above the limit it is full, and its end is bright.
void limit_bar(PanelContext& context, const Headline& headline) {
  // As soon as the limit is known: what is below must not move when the rate is.
  if (headline.limit.empty() || headline.few) return;
  const auto text = headline.limit_percent > 0.0
                        ? fmt::format("{:.0f} % of the {}", headline.limit_percent, headline.limit)
                        : fmt::format("- % of the {}", headline.limit);
  const float share = std::min(static_cast<float>(headline.limit_percent) / 100.0F, 1.0F);
  const auto color = headline.limit_percent > 100.0 ? good_color() : accent_color();
  ImGui::TextUnformatted(text.c_str());
  context.widgets.note("header-limit");
  const auto corner = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = 4.0F * context.scale;
  auto& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, {corner.x + width, corner.y + height}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                     0.5F * height);
  list.AddRectFilled(corner, {corner.x + share * width, corner.y + height},
                     ImGui::ColorConvertFloat4ToU32(color), 0.5F * height);
  ImGui::Dummy({width, height});
}

/// In a low window the header's buttons are enough.
bool has_only_buttons(const PanelContext& context) {
  const auto size = ImGui::GetIO().DisplaySize;
  return context.small && is_low({size.x, size.y}, context.scale);
}

/// One of a row of `count` buttons as wide as the panel.
bool row_button(PanelContext& context, const char* label, const char* name, int count, bool first,
                bool lit = false) {
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float full = line_width() - (has_only_buttons(context) ? closing_width(context) : 0.0F);
  const float width =
      std::max((full - static_cast<float>(count - 1) * gap) / static_cast<float>(count), 8.0F);
  if (!first) ImGui::SameLine();
  if (lit) {
    ImGui::PushStyleColor(ImGuiCol_Button, {0.86F, 0.55F, 0.12F, 1.0F});
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, {0.95F, 0.63F, 0.20F, 1.0F});
    ImGui::PushStyleColor(ImGuiCol_Text, {0.06F, 0.05F, 0.02F, 1.0F});
  }
  const bool clicked = ImGui::Button(label, {width, 0.0F});
  if (lit) ImGui::PopStyleColor(3);
  context.widgets.note(name);
  return clicked;
}

void buttons(PanelContext& context) {
  auto& session = context.session;
  constexpr int count = 3;
  const bool recording = context.film.status.records;
  if (row_button(context, session.paused ? "Run###pause" : "Pause###pause", "header-pause", count, true,
                 session.paused))
    session.paused = !session.paused;
  tooltip("Space");
  if (row_button(context, has_only_buttons(context) ? "Picture" : "Save picture", "header-picture", count,
                 false))
    context.actions.take_screenshot(false);
  tooltip("Takes a picture. Key: F12; Ctrl+F12 with the panel.");
  if (row_button(context, recording ? "Stop###record" : "Record###record", "header-record", count, false,
                 recording))
    context.actions.command("record");
}

/// What computes, how fast, and whether it is right.
void headline_rows(PanelContext& context) {
  const auto headline = headline_of(context.session, context.switching.watch());
  text_in(Gui::large_font(), text_color(), headline.kernel);
  context.widgets.note("header-kernel");
  badge(context, headline);
  rate(context, headline);
  limit_bar(context, headline);
}

}  // namespace

void draw_header(PanelContext& context) {
  if (!context.session.has_dataset()) {
    // The tabs begin below the button that closes.
    if (context.small)
      ImGui::Dummy({1.0F, std::max(close_side * context.scale - ImGui::GetCursorPosY(), 0.0F)});
    return;
  }
  if (!has_only_buttons(context)) headline_rows(context);
  ImGui::PushID("header");
  buttons(context);
  ImGui::PopID();
  ImGui::Separator();
}

}  // namespace orrery::app
