#include "app/window/switch_banner.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>

#include "app/gui/gui.h"
#include "app/gui/imgui_compat.h"
#include "app/gui/theme.h"
#include "app/live/demo_run.h"
#include "lab/bench/rates.h"

namespace orrery::app {

namespace {

const ImVec2 padding{22.0F, 12.0F};

float gap_of_arrow() { return 0.55F * ImGui::GetFontSize(); }
float width_of_arrow() { return 0.9F * ImGui::GetFontSize(); }

/// Drawn: few fonts have the sign. The next item stands behind it.
void draw_arrow() {
  const float size = ImGui::GetFontSize();
  const auto at = ImGui::GetCursorScreenPos();
  const float y = at.y + 0.55F * size, tip = at.x + width_of_arrow(), wing = 0.22F * size;
  auto& list = *ImGui::GetWindowDrawList();
  const auto color = ImGui::GetColorU32(ImGuiCol_Text, 0.75F);
  const float width = std::max(0.07F * size, 1.5F);
  list.AddLine({at.x, y}, {tip - 0.5F * width, y}, color, width);
  list.AddLine({tip - wing, y - wing}, {tip, y}, color, width);
  list.AddLine({tip - wing, y + wing}, {tip, y}, color, width);
  ImGui::Dummy({width_of_arrow(), size});
  ImGui::SameLine(0.0F, gap_of_arrow());
}

/// Between two items of a line.
void arrow() {
  ImGui::SameLine(0.0F, gap_of_arrow());
  draw_arrow();
}

/// Smaller words on the foot of those of `large` pixels that stand before them in the line. They take room
/// without making the line higher.
void beside(ImFont* font, const ImVec4& color, const std::string& text, float large) {
  const float size = letter_height(*font);
  ImGui::SameLine(0.0F, 0.35F * ImGui::GetFontSize());
  const auto at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText(font, size, {at.x, at.y + 0.84F * (large - size)},
                                      ImGui::GetColorU32(color), text.c_str());
  ImGui::Dummy({font->CalcTextSizeA(size, FLT_MAX, 0.0F, text.c_str()).x, size});
}

/// In one line; what is wider than `room` in two, or in more where even these do not fit.
void names(const lab::Switch& step, float room, WidgetMap& widgets) {
  ImGui::PushFont(Gui::large_font());
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
  const float both = ImGui::CalcTextSize(step.from.c_str()).x + 2.0F * gap_of_arrow() + width_of_arrow() +
                     ImGui::CalcTextSize(step.to.c_str()).x;
  ImGui::PushStyleColor(ImGuiCol_Text, card_colors::label);
  ImGui::TextUnformatted(step.from.c_str());
  ImGui::PopStyleColor();
  widgets.note("switch-from");
  both < room ? arrow() : draw_arrow();
  ImGui::TextUnformatted(step.to.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
}

ImVec4 factor_color(const lab::Factor& factor) {
  if (factor.says() == lab::Factor::Says::faster) return color_of(sim::Verdict::good);
  return factor.says() == lab::Factor::Says::no_difference ? card_colors::label
                                                           : color_of(sim::Verdict::doubtful);
}

/// The comparison: rates, or times where one of both sums fewer interactions.
struct Compared {
  std::string was, now, unit;
};

Compared compared(const lab::MeasuredVariant& was, const lab::MeasuredVariant& now) {
  if (!lab::evaluates_other_interactions(was, now))
    return {lab::rate_text(was.gips, 3), lab::rate_text(now.gips, 3), "GInteractions/s"};
  return {lab::evaluation_text(was.seconds), lab::evaluation_text(now.seconds), "for all forces"};
}

/// 412 -> 1650 GInteractions/s   x4.0, or why there is no factor.
void rates(const lab::Switch& step, const lab::MeasuredVariant& now, bool paused, WidgetMap& widgets) {
  auto* font = Gui::huge_font();
  ImGui::PushFont(font);
  const float large = ImGui::GetFontSize();
  const auto both = compared(step.was, now);
  // Who switches before the first rate is known has nothing to compare with.
  if (step.was.gips > 0.0) {
    ImGui::TextColored(card_colors::label, "%s", both.was.c_str());
    arrow();
  }
  if (!step.measured) {
    ImGui::PopFont();
    const auto* const state = paused ? "paused" : "measuring ...";
    return step.was.gips > 0.0 ? beside(Gui::large_font(), card_colors::label, state, large)
                               : text_in(Gui::large_font(), card_colors::label, state);
  }
  ImGui::TextUnformatted(both.now.c_str());
  ImGui::PopFont();
  widgets.note("switch-measured");
  beside(ImGui::GetFont(), card_colors::label, both.unit, large);
  if (!(step.was.gips > 0.0)) return;
  ImGui::SameLine(0.0F, 1.6F * ImGui::GetFontSize());
  const auto factor = lab::factor_of(step.was, now);
  text_in(factor.counts() ? font : Gui::large_font(), factor_color(factor), factor.text("\xC3\x97"));
  widgets.note("switch-factor");
}

/// Green where it did not grow, red where forces are wrong. The header's badge judges it by what the kernel
/// states.
ImVec4 error_color(double was, double now) {
  constexpr double alike = 1.1;
  const auto verdict = sim::verdict(sim::ForceError{.sample = 1, .median = now, .p99 = now});
  if (verdict == sim::Verdict::wrong) return color_of(verdict);
  const bool grew = was > 0.0 && now > alike * was;
  return grew ? ImGui::GetStyleColorVec4(ImGuiCol_Text) : color_of(sim::Verdict::good);
}

/// error 2.1e-7 -> 3.4e-5
void errors(const lab::Switch& step, const lab::MeasuredVariant& now, bool keys, WidgetMap& widgets) {
  ImGui::TextColored(card_colors::label, "force error");
  ImGui::SameLine();
  if (step.was.error > 0.0) {
    ImGui::TextColored(card_colors::label, "%s", short_error(step.was.error).c_str());
    arrow();
  }
  if (!step.checked) {
    ImGui::TextColored(card_colors::label, "checking");
    return;
  }
  ImGui::TextColored(error_color(step.was.error, now.error), "%s", short_error(now.error).c_str());
  widgets.note("switch-error");
  if (!keys) return;
  ImGui::SameLine(0.0F, 2.0F * ImGui::GetFontSize());
  ImGui::TextColored(card_colors::label, "B goes back");
}

/// In the same line, or where the window ends before in the next one.
void next_word(const ImVec4& color, const char* word) {
  const float gap = 1.2F * ImGui::GetFontSize(), room = ImGui::GetIO().DisplaySize.x - ImGui::GetFontSize();
  if (ImGui::GetItemRectMax().x + gap + ImGui::CalcTextSize(word).x < room) ImGui::SameLine(0.0F, gap);
  ImGui::TextColored(color, "%s", word);
}

}  // namespace

float draw_switch_banner(float left, float top, float scale, const Switching& switching, bool paused,
                         bool keys, WidgetMap& widgets, Switching::Clock::time_point now) {
  const auto visibility = switching.visibility(now);
  if (visibility <= 0.0F) return 0.0F;
  const auto& step = *switching.watch().last();
  const auto& result = switching.watch().tried()[step.after];
  begin_card("##switch", {0.5F * (left + ImGui::GetIO().DisplaySize.x), top}, {0.5F, 0.0F}, padding, scale,
             visibility);
  names(step, ImGui::GetIO().DisplaySize.x - left - 4.0F * padding.x * scale, widgets);
  if (step.refusal.empty()) {
    rates(step, result, paused, widgets);
    errors(step, result, keys, widgets);
  } else {
    ImGui::PushTextWrapPos(30.0F * ImGui::GetFontSize());
    ImGui::TextColored(color_of(sim::Verdict::wrong), "refused: %s", step.refusal.c_str());
    ImGui::PopTextWrapPos();
  }
  const auto low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  widgets.note_box("switch-banner", {low.x, low.y}, {low.x + size.x, low.y + size.y});
  end_card();
  return low.y + size.y;
}

float draw_heads_up(float scale, float left, const Headline& headline, WidgetMap& widgets) {
  const float margin = 14.0F * scale;
  const bool small = left > 0.0F;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  begin_card("##heads-up", {left + (small ? 0.0F : margin), margin}, {0.0F, 0.0F}, padding, 0.6F * scale);
  ImGui::PushFont(small ? ImGui::GetFont() : Gui::large_font());
  ImGui::PushTextWrapPos(small ? ImGui::GetIO().DisplaySize.x - left - padding.x * scale : -1.0F);
  ImGui::TextUnformatted(one_line(headline).c_str());
  ImGui::PopTextWrapPos();
  widgets.note("heads-up");
  const auto verdict = headline.verdict ? color_of(*headline.verdict) : card_colors::label;
  next_word(verdict, headline.verdict ? word_for(headline) : "CHECKING");
  const auto doubtful = color_of(sim::Verdict::doubtful);
  if (headline.busy) {
    next_word(doubtful, "machine busy");
    widgets.note("machine-busy");
  }
  if (headline.paused) next_word(doubtful, "PAUSED");
  ImGui::PopFont();
  const float end = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  end_card();
  ImGui::PopStyleVar();
  return end;
}

}  // namespace orrery::app
