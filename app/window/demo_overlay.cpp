#include "app/window/demo_overlay.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <ranges>

#include "app/gui/gui.h"
#include "app/gui/named_widgets.h"
#include "app/gui/theme.h"
#include "app/window/demo_slide.h"

namespace orrery::app {

namespace {

/// Widest card and its padding, at hall_scale 1.
constexpr float widest = 1460.0F;
const ImVec2 padding{28.0F, 18.0F};

/// The first line of a caption is large, what follows is smaller. Both are read from the last row.
void caption(const std::string& words, float width, WidgetMap& widgets) {
  const auto end = std::min(words.find('\n'), words.size());
  ImGui::PushTextWrapPos(width);
  text_in(Gui::caption_font(), card_colors::bright, words.substr(0, end));
  widgets.note("demo-caption");
  if (end < words.size()) {
    text_in(Gui::hall_font(), card_colors::text, words.substr(end + 1));
    widgets.note("demo-caption-below");
  }
  ImGui::PopTextWrapPos();
}

/// A thin line that fills while the step has its time; amber while a median is waited for.
void progress(const DemoRun& run, float width, float unit, DemoRun::Clock::time_point now) {
  const auto part = static_cast<float>(run.progress(now));
  const bool measuring = part >= 1.0F && run.waits_for_median();
  const auto corner = ImGui::GetCursorScreenPos();
  const float height = 4.0F * unit;
  auto& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(corner, {corner.x + width, corner.y + height}, IM_COL32(255, 255, 255, 36), height);
  list.AddRectFilled(corner, {corner.x + part * width, corner.y + height},
                     ImGui::ColorConvertFloat4ToU32(measuring ? card_colors::amber : card_colors::blue),
                     height);
  ImGui::Dummy({width, height});
}

/// Where the demonstration is, on the left; what can be done, on the right.
void draw_foot(const DemoRun& run, bool keys, float width, WidgetMap& widgets) {
  ImGui::TextColored(card_colors::dim, "%s",
                     fmt::format("{}   {} / {}", run.demo().title, run.current() + 1, run.count()).c_str());
  widgets.note(fmt::format("demo-step:{}", run.step().name));
  if (!keys) return;
  const char* next = run.waits_for_median()            ? "measuring"
                     : run.current() + 1 < run.count() ? "Space goes on"
                                                       : "Space ends";
  const auto words = fmt::format("{}     Esc takes over", next);
  const float start = width - ImGui::CalcTextSize(words.c_str()).x;
  // In a narrow window in a line of their own.
  if (ImGui::GetItemRectSize().x + ImGui::GetFontSize() < start)
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + start);
  ImGui::TextColored(run.ready() ? card_colors::bright : card_colors::dim, "%s", words.c_str());
}

/// The height up to which the legend reaches, whose letters grow with the picture, or the bar of a browser.
float legend_height() {
  const float bar = is_for_fingers() ? 1.25F * ImGui::GetFrameHeight() : 0.0F;
  return std::max(0.1F * ImGui::GetIO().DisplaySize.y, bar);
}

}  // namespace

DemoRoom free_room(const DemoCover& cover, glm::vec2 size) {
  constexpr float least = 0.2F;
  float left = cover.left, top = cover.top, bottom = cover.bottom;
  if (bottom - top < least * size.y) top = 0.0F;
  if (bottom - top < least * size.y) bottom = size.y;
  if (size.x - left < least * size.x) left = 0.0F;
  const glm::dvec2 middle(0.5F * size);
  const double half_height = std::max(middle.y, 1.0);
  return {.box = {.low = {(left - middle.x) / half_height, (middle.y - bottom) / half_height},
                  .high = {middle.x / half_height, (middle.y - top) / half_height}},
          .axis = 0.5 * cover.left / half_height};
}

CaptionPlace caption_place(const DemoFoot& foot, glm::vec2 size, float lowest) {
  const float free = size.x - foot.left, middle = 0.5F * (foot.left + size.x);
  const float gap = 0.012F * size.y, most = std::min(0.88F * free, widest * hall_scale(size));
  const auto tall = [&](const OverlayBox& box) { return box.from.y < lowest; };
  float beside = free;
  for (const auto& box : foot.legend | std::views::filter(tall)) {
    const bool at_left = box.from.x + box.to.x < 2.0F * middle;
    beside = std::min(beside, 2.0F * ((at_left ? middle - box.to.x : box.from.x - middle) - gap));
  }
  constexpr float wide_enough = 0.7F;
  if (beside >= wide_enough * most) return {std::min(most, beside), lowest};
  float bottom = lowest;
  const OverlayBox below{{middle - 0.5F * most - gap, 0.0F}, {middle + 0.5F * most + gap, size.y}};
  for (const auto& box : foot.legend | std::views::filter(tall))
    if (box.overlaps(below)) bottom = std::min(bottom, box.from.y - gap);
  constexpr float highest = 0.7F;
  return {most, bottom < highest * size.y ? lowest : bottom};
}

DemoPress draw_demo_buttons(const DemoFoot& foot, const DemoRun& run, WidgetMap& widgets) {
  auto pressed = DemoPress::none;
  if (!run.playing()) return pressed;
  const auto size = ImGui::GetIO().DisplaySize;
  const auto place = caption_place(foot, {size.x, size.y}, size.y - legend_height());
  ImGui::SetNextWindowPos({0.5F * (foot.left + size.x), place.bottom}, ImGuiCond_Always, {0.5F, 1.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::Begin("##demo-buttons", nullptr,
               bare_window | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoFocusOnAppearing);
  if (named_button(widgets, "demo-go-on", "Go on")) pressed = DemoPress::go_on;
  ImGui::SameLine();
  if (named_button(widgets, "demo-end", "Take over")) pressed = DemoPress::end;
  ImGui::End();
  ImGui::PopStyleVar();
  return pressed;
}

float draw_demo(const DemoFoot& foot, const DemoRun& run, bool keys, WidgetMap& widgets,
                DemoRun::Clock::time_point now) {
  const auto size = ImGui::GetIO().DisplaySize;
  if (!run.playing() || run.step().closing) return size.y - legend_height();
  const float unit = hall_scale({size.x, size.y});
  const auto place = caption_place(foot, {size.x, size.y}, size.y - legend_height());
  const float least = std::min(60.0F, widest * unit);
  const float width = std::max(place.width - 2.0F * padding.x * unit, least);
  const bool buttons = keys && is_for_fingers();
  const float bottom = place.bottom - (buttons ? ImGui::GetFrameHeightWithSpacing() : 0.0F);
  begin_card("##demo", {0.5F * (foot.left + size.x), bottom}, {0.5F, 1.0F}, padding, unit);
  caption(run.step().caption, ImGui::GetCursorPosX() + width, widgets);
  if (!run.refusal().empty()) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    text_in(Gui::hall_font(), card_colors::amber, "Not possible here: " + run.refusal());
    ImGui::PopTextWrapPos();
  }
  ImGui::Spacing();
  progress(run, width, unit, now);
  draw_foot(run, keys && !buttons, width, widgets);
  const float top = ImGui::GetWindowPos().y;
  end_card();
  return top;
}

}  // namespace orrery::app
