#include "app/gui/chooser.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/fuzzy.h"
#include "app/gui/theme.h"
#include "app/shown_text.h"
#include "sim/core/letters.h"

namespace orrery::app {

namespace {

constexpr std::size_t most_rows = 12;

/// The longest beginning that fits into `width`, with dots where something is left out.
std::string shortened(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  auto end = text.size();
  while (end > 0) {
    end = sim::character_begin(text, end - 1);
    auto cut = text.substr(0, end) + "...";
    if (ImGui::CalcTextSize(cut.c_str()).x <= width) return cut;
  }
  return {};
}

ImU32 text_color(const Choice& choice) {
  return ImGui::GetColorU32(choice.refusal.empty() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
}

/// The searched text of a choice, the title first: earlier text counts more.
std::string searched(const Choice& choice) { return choice.title + " " + choice.words + " " + choice.detail; }

}  // namespace

std::function<void(Chooser&)> closing(std::function<void()> act) {
  return [act = std::move(act)](Chooser& chooser) {
    chooser.close();
    act();
  };
}

void Chooser::show(ChoiceList list) {
  lists_.clear();
  frames_ = 0;
  push(std::move(list));
}

void Chooser::push(ChoiceList list) {
  lists_.push_back({.list = std::move(list), .typed = {}, .fitting = {}});
  narrow(lists_.back());
  select_current(lists_.back());
}

void Chooser::replace(ChoiceList list) {
  if (open()) lists_.pop_back();
  push(std::move(list));
}

void Chooser::back() {
  if (open()) lists_.pop_back();
}

/// Sorted by how well they fit; those that fit alike stay in their order.
void Chooser::narrow(Open& open) {
  std::vector<std::pair<double, const Choice*>> found;
  for (const auto& choice : open.list.choices) {
    if (choice.only_found && open.typed.empty()) continue;
    if (const auto score = fuzzy_score(open.typed, searched(choice)))
      found.emplace_back(open.typed.empty() ? 0.0 : *score + choice.rank, &choice);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first > b.first; });
  open.fitting.clear();
  if (open.list.from_text && !open.typed.empty()) {
    if (auto made = open.list.from_text(open.typed)) open.fitting.push_back(std::move(*made));
  }
  for (const auto& [score, choice] : found) open.fitting.push_back(*choice);
  open.selected = open.first_row = 0;
}

void Chooser::select_current(Open& open) {
  const auto at = std::ranges::find_if(open.fitting, &Choice::current);
  if (at != open.fitting.end()) open.selected = static_cast<std::size_t>(at - open.fitting.begin());
}

void Chooser::type(const std::string& letter) {
  if (!open()) return;
  lists_.back().typed += letter;
  narrow(lists_.back());
}

void Chooser::move(std::ptrdiff_t rows) {
  auto& top = lists_.back();
  const auto count = static_cast<std::ptrdiff_t>(top.fitting.size());
  if (count == 0) return;
  auto next = static_cast<std::ptrdiff_t>(top.selected) + rows;
  // One row goes around the ends, a page does not.
  if (rows == 1 || rows == -1) next = (next + count) % count;
  top.selected = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, count - 1));
}

void Chooser::choose(std::size_t row) {
  auto& top = lists_.back();
  if (row >= top.fitting.size()) return;
  top.selected = row;
  const auto& choice = top.fitting[row];
  if (!choice.refusal.empty() || !choice.act) return;
  // It may close the list that holds it.
  const auto act = choice.act;
  act(*this);
}

void Chooser::press(Key key) {
  if (!open()) return;
  auto& top = lists_.back();
  constexpr auto page = static_cast<std::ptrdiff_t>(most_rows) - 1;
  constexpr std::ptrdiff_t all = 1'000'000;
  switch (key) {
    case Key::up:
      return move(-1);
    case Key::down:
      return move(1);
    case Key::page_up:
      return move(-page);
    case Key::page_down:
      return move(page);
    case Key::first:
      return move(-all);
    case Key::last:
      return move(all);
    case Key::choose:
      return choose(top.selected);
    case Key::back:
      return back();
    case Key::erase:
      if (top.typed.empty()) return top.list.up ? std::function(top.list.up)(*this) : back();
      while (!top.typed.empty() && sim::is_inside_character(top.typed.back())) top.typed.pop_back();
      top.typed.pop_back();
      return narrow(top);
    case Key::erase_all:
      top.typed.clear();
      return narrow(top);
  }
}

std::vector<std::string> Chooser::shown() const {
  std::vector<std::string> titles;
  for (const auto& choice : lists_.back().fitting) titles.push_back(choice.title);
  return titles;
}

void Chooser::draw(float left, float scale, WidgetMap& widgets) {
  if (!open()) return;
  // Copied: it may take itself away.
  if (auto& top = lists_.back(); top.list.update && std::function(top.list.update)(top.list)) narrow(top);
  const auto size = ImGui::GetIO().DisplaySize;
  const float width = std::min(size.x * 0.92F, 660.0F * scale);
  if (size.x - left < width + 20.0F * scale) left = 0.0F;
  ImGui::SetNextWindowPos({0.5F * (left + size.x), 0.08F * size.y}, ImGuiCond_Always, {0.5F, 0.0F});
  ImGui::SetNextWindowSize({width, 0.0F});
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.0F);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::Begin(chooser_window, nullptr, bare_window | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav);
  draw_field(lists_.back(), widgets);
  draw_rows(lists_.back(), widgets);
  const bool beside = ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
                      !ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (open()) draw_help(lists_.back());
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  if (beside && frames_ > 1) close();
  ++frames_;
}

/// Draws the typed text, with a mark where the next letter comes.
void Chooser::draw_field(const Open& open, WidgetMap& widgets) const {
  if (!open.list.title.empty()) {
    ImGui::PushTextWrapPos();
    ImGui::TextColored(accent_color(), "%s", shown_text(open.list.title).c_str());
    ImGui::PopTextWrapPos();
  }
  const auto corner = ImGui::GetCursorScreenPos();
  const auto& style = ImGui::GetStyle();
  const float above = is_for_fingers() ? style.FramePadding.y : 2.0F * style.FramePadding.y;
  const ImVec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFontSize() + 2.0F * above};
  ImGui::Dummy(size);
  widgets.note(open.list.name);
  auto& canvas = *ImGui::GetWindowDrawList();
  canvas.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, ImGui::GetColorU32(ImGuiCol_FrameBg),
                       style.FrameRounding);
  const ImVec2 at{corner.x + style.FramePadding.x, corner.y + above};
  const bool empty = open.typed.empty();
  // Of a long text the end is seen, where letters are added.
  canvas.PushClipRect(corner, {corner.x + size.x, corner.y + size.y}, true);
  const float extent = ImGui::CalcTextSize(open.typed.c_str()).x;
  const float left = at.x - std::max(extent - (size.x - 3.0F * style.FramePadding.x), 0.0F);
  const auto text = empty ? shortened(open.list.prompt, size.x - 3.0F * style.FramePadding.x) : open.typed;
  canvas.AddText({left, at.y}, ImGui::GetColorU32(empty ? ImGuiCol_TextDisabled : ImGuiCol_Text),
                 text.c_str());
  const float mark = left + extent;
  canvas.AddLine({mark, at.y}, {mark, at.y + ImGui::GetFontSize()}, ImGui::GetColorU32(accent_color()),
                 std::max(0.1F * ImGui::GetFontSize(), 1.0F));
  canvas.PopClipRect();
}

/// A finger moves the rows themselves; what is selected stays among those that show.
void Chooser::scroll(Open& open, std::ptrdiff_t by, std::size_t rows) {
  const auto most = static_cast<std::ptrdiff_t>(open.fitting.size()) - static_cast<std::ptrdiff_t>(rows);
  const auto first = static_cast<std::ptrdiff_t>(open.first_row) + by;
  open.first_row =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(first, 0, std::max<std::ptrdiff_t>(most, 0)));
  open.selected = std::clamp(open.selected, open.first_row, open.first_row + rows - 1);
}

void Chooser::draw_rows(Open& open, WidgetMap& widgets) {
  if (open.fitting.empty()) ImGui::TextDisabled("No match");
  // Fewer rows where the window is low: the help has its position too.
  const float row = ImGui::GetTextLineHeightWithSpacing() + 2.0F * ImGui::GetStyle().FramePadding.y;
  const float room = 0.62F * ImGui::GetIO().DisplaySize.y / row;
  const auto rows = std::clamp(static_cast<std::size_t>(std::max(room, 3.0F)), std::size_t{3}, most_rows);
  const float wheel = ImGui::IsWindowHovered() ? ImGui::GetIO().MouseWheel : 0.0F;
  if (wheel != 0.0F && is_for_fingers())
    scroll(open, static_cast<std::ptrdiff_t>(-std::copysign(std::ceil(std::abs(wheel)), wheel)), rows);
  else if (wheel != 0.0F)
    move(wheel > 0.0F ? -2 : 2);
  open.first_row =
      std::clamp(open.first_row, open.selected < rows ? 0 : open.selected - rows + 1, open.selected);
  const auto end = std::min(open.first_row + rows, open.fitting.size());
  for (auto k = open.first_row; k < end; ++k) {
    if (draw_row(open, k, widgets)) return choose(k);
  }
  if (open.fitting.size() > rows) ImGui::TextDisabled("%zu of %zu", open.selected + 1, open.fitting.size());
}

/// True if it was clicked.
bool Chooser::draw_row(const Open& open, std::size_t row, WidgetMap& widgets) const {
  const auto& choice = open.fitting[row];
  const auto& style = ImGui::GetStyle();
  const auto corner = ImGui::GetCursorScreenPos();
  const ImVec2 size{ImGui::GetContentRegionAvail().x,
                    ImGui::GetTextLineHeight() + 2.0F * style.FramePadding.y};
  ImGui::PushID(static_cast<int>(row));
  const bool clicked = ImGui::Selectable("##row", row == open.selected, ImGuiSelectableFlags_None, size);
  ImGui::PopID();
  widgets.note(open.list.name + ":" + choice.name);
  if (row == open.selected) widgets.note(open.list.name + "-selected:" + choice.name);
  auto& canvas = *ImGui::GetWindowDrawList();
  const float gap = 2.0F * style.ItemSpacing.x, mark = ImGui::GetFontSize();
  const float y = corner.y + style.FramePadding.y;
  if (choice.current) {
    canvas.AddCircleFilled({corner.x + 0.5F * mark, y + 0.5F * mark}, 0.18F * mark,
                           ImGui::GetColorU32(accent_color()));
  }
  const float room = size.x - mark - style.FramePadding.x;
  const auto title = shortened(shown_text(choice.title), room);
  const float used = ImGui::CalcTextSize(title.c_str()).x;
  canvas.AddText({corner.x + mark, y}, text_color(choice), title.c_str());
  const auto detail = shortened(choice.detail, room - used - gap);
  const float width = ImGui::CalcTextSize(detail.c_str()).x;
  canvas.AddText({corner.x + size.x - width - style.FramePadding.x, y},
                 ImGui::GetColorU32(ImGuiCol_TextDisabled), detail.c_str());
  return clicked;
}

/// All that the selected row says, in full.
void Chooser::draw_help(const Open& open) {
  if (open.selected >= open.fitting.size()) return;
  const auto& choice = open.fitting[open.selected];
  const auto text = shown_text(choice.refusal.empty() ? choice.help : choice.refusal);
  if (text.empty()) return;
  ImGui::Separator();
  ImGui::PushTextWrapPos();
  if (choice.refusal.empty())
    ImGui::TextDisabled("%s", text.c_str());
  else
    ImGui::TextColored(doubtful_color(), "%s", text.c_str());
  ImGui::PopTextWrapPos();
}

}  // namespace orrery::app
