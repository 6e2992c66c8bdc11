#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/gui/theme.h"
#include "app/panels/header.h"
#include "app/panels/panel.h"
#include "panels.h"

namespace orrery::app {

namespace {

struct Tab {
  const char* name;
  const char* title;
};

constexpr std::array<Tab, panel_tab_count> tabs{Tab{"run", "Galaxy"}, Tab{"measure", "Measure"},
                                                Tab{"picture", "Look"}, Tab{"more", "More"}};

PanelTab tab_of(const PanelLayout& layout) {
  for (std::size_t k = 0; k < tabs.size(); ++k)
    if (layout.tab == tabs.at(k).name) return static_cast<PanelTab>(k);
  return PanelTab::run;
}

/// One button of the row; a line under the one that shows.
void tab_button(PanelContext& context, std::size_t k, float width) {
  const auto tab = static_cast<PanelTab>(k);
  const bool shows = tab_of(context.layout) == tab;
  const float font = ImGui::GetFontSize();
  const ImVec2 size{width, std::max(1.7F * font, ImGui::GetFrameHeight())};
  const auto corner = ImGui::GetCursorScreenPos();
  const auto id = std::string("tab:") + name_of(tab);
  if (ImGui::InvisibleButton(id.c_str(), size)) context.layout.tab = name_of(tab);
  context.widgets.note(id);
  if (shows) context.widgets.note(std::string("shown-tab:") + name_of(tab));
  auto& canvas = *ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  if (shows || ImGui::IsItemHovered())
    canvas.AddRectFilled(corner, end, ImGui::GetColorU32(ImGuiCol_Header, shows ? 1.0F : 0.6F), 4.0F);
  if (shows) canvas.AddRectFilled({corner.x, end.y - 0.15F * font}, end, ImGui::GetColorU32(accent_color()));
  const auto extent = ImGui::CalcTextSize(title_of(tab));
  canvas.AddText({corner.x + 0.5F * (width - extent.x), corner.y + 0.5F * (size.y - extent.y)},
                 ImGui::GetColorU32(shows ? ImGuiCol_Text : ImGuiCol_TextDisabled), title_of(tab));
}

void tab_row(PanelContext& context) {
  const float gap = 0.25F * ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 3.0F * gap) / static_cast<float>(tabs.size());
  for (std::size_t k = 0; k < tabs.size(); ++k) {
    if (k > 0) ImGui::SameLine(0.0F, gap);
    tab_button(context, k, std::max(width, 8.0F));
  }
}

/// A section header. Sections stay open or closed as the user or the program left them.
bool section_header(PanelContext& context, const Panel& panel, const std::string& title) {
  auto& layout = context.layout;
  const auto kept = layout.sections.find(title);
  const bool was_open = kept != layout.sections.end() ? kept->second : panel.open_at_start;
  const bool revealed = layout.reveal == title;
  if (revealed) layout.reveal.clear();
  ImGui::SetNextItemOpen(was_open || revealed);
  const bool open = ImGui::CollapsingHeader(title.c_str());
  if (revealed) ImGui::SetScrollHereY(0.0F);
  context.widgets.note("panel:" + title);
  if (open) context.widgets.note("section-open:" + title);
  if (open != was_open) layout.sections[title] = open;
  return open;
}

void sections(PanelContext& context) {
  const auto shown = tab_of(context.layout);
  for (const auto* panel : panels()) {
    if (panel->tab != shown) continue;
    const std::string title(panel->title);
    if (!section_header(context, *panel, title)) continue;
    ImGui::PushID(title.c_str());
    panel->draw(context);
    ImGui::PopID();
  }
}

/// The person's, in proportion to the scale. A small window has no use for a strip beside it.
float wanted_width(const PanelContext& context, float room) {
  const float wanted = std::clamp(context.layout.width * context.scale, std::min(32.0F, room), room);
  return context.small && room < 1.25F * wanted ? room : wanted;
}

/// The room that the panel may fill. Where it is as wide as the window, the bar of a browser is under it.
ImVec2 room_for(const PanelContext& context, float margin) {
  const auto size = ImGui::GetIO().DisplaySize;
  ImVec2 room{std::max(size.x - 2.0F * margin, 32.0F), std::max(size.y - 2.0F * margin, 32.0F)};
  if (context.small && is_for_fingers() && wanted_width(context, room.x) == room.x)
    room.y = std::max(room.y - close_side * context.scale, 32.0F);
  return room;
}

/// The height follows the window; the width is the person's.
void place_window(PanelContext& context, float margin, ImVec2 room) {
  auto& layout = context.layout;
  const float wanted = wanted_width(context, room.x);
  ImGui::SetNextWindowPos({margin, margin}, ImGuiCond_FirstUseEver);
  const float least = std::min(PanelLayout::least_width * context.scale, room.x);
  ImGui::SetNextWindowSizeConstraints({least, room.y}, room);
  const bool anew = std::abs(wanted - layout.width_set) > 0.5F;
  ImGui::SetNextWindowSize({wanted, room.y}, anew ? ImGuiCond_Always : ImGuiCond_Once);
  layout.width_set = wanted;
}

/// The person drags the edge.
void keep_width(PanelContext& context, float width) {
  auto& layout = context.layout;
  if (std::abs(width - layout.width_set) <= 0.5F || !ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  layout.width = width / context.scale;
  layout.width_set = width;
}

/// A cross in the upper right corner of a panel that hides the picture.
void close_button(PanelContext& context) {
  const auto start = ImGui::GetCursorPos();
  const float side = close_side * context.scale, arm = 0.17F * side;
  ImGui::SetCursorPos({ImGui::GetWindowWidth() - side, 0.0F});
  const auto corner = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("close", {side, side})) context.actions.toggle_panel();
  context.widgets.note("close-panel");
  const ImVec2 middle{corner.x + 0.5F * side, corner.y + 0.5F * side};
  const auto color = ImGui::GetColorU32(ImGui::IsItemHovered() ? ImGuiCol_Text : ImGuiCol_TextDisabled);
  auto& canvas = *ImGui::GetWindowDrawList();
  for (const float way : {-arm, arm})
    canvas.AddLine({middle.x - arm, middle.y - way}, {middle.x + arm, middle.y + way}, color,
                   2.0F * context.scale);
  ImGui::SetCursorPos(start);
}

}  // namespace

std::span<const Panel* const> panels() { return registry::panels; }

const char* name_of(PanelTab tab) { return tabs.at(static_cast<std::size_t>(tab)).name; }

const char* title_of(PanelTab tab) { return tabs.at(static_cast<std::size_t>(tab)).title; }

void reveal(PanelLayout& layout, const Panel& panel) {
  layout.tab = name_of(panel.tab);
  layout.reveal = panel.title;
}

float draw_panels(PanelContext& context) {
  const float margin = 10.0F * context.scale;
  const auto size = ImGui::GetIO().DisplaySize;
  place_window(context, margin, room_for(context, margin));
  // A finger that scrolls near the edge must not move it.
  const auto flags = (context.small ? ImGuiWindowFlags_NoResize : 0) | ImGuiWindowFlags_NoCollapse |
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoScrollbar |
                     ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::Begin(panel_window, nullptr, flags)) {
    if (context.small) close_button(context);
    draw_header(context);
    tab_row(context);
    // Each tab keeps its position.
    if (ImGui::BeginChild(name_of(tab_of(context.layout)))) sections(context);
    ImGui::EndChild();
  }
  const auto corner = ImGui::GetWindowPos();
  const float width = ImGui::GetWindowWidth();
  keep_width(context, width);
  ImGui::End();
  return corner.x < 2.0F * margin && corner.x + width < 0.6F * size.x ? corner.x + width : 0.0F;
}

}  // namespace orrery::app
