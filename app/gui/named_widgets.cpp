#include "app/gui/named_widgets.h"

#include <imgui.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/gui/theme.h"
#include "app/shown_text.h"
#include "sim/core/error.h"
#include "sim/core/file_writer.h"
#include "sim/core/json_text.h"

namespace orrery::app {

WidgetMap::WidgetMap() {
#ifdef ORRERY_ASSERTIONS
  const char* file = std::getenv("ORRERY_WIDGET_MAP");
  if (file != nullptr) file_ = file;
#endif
}

void WidgetMap::note(const std::string& name) {
  if (!enabled()) return;
  const auto low = ImGui::GetItemRectMin();
  const auto high = ImGui::GetItemRectMax();
  boxes_[ImGui::IsItemVisible() ? name : "hidden:" + name] = {{low.x, low.y}, {high.x, high.y}};
}

void WidgetMap::write() try {
  if (!enabled() || boxes_ == written_) {
    boxes_.clear();
    return;
  }
  auto json = nlohmann::json::object();
  for (const auto& [name, box] : boxes_) json[name] = {box.low.x, box.low.y, box.high.x, box.high.y};
  sim::write_file(file_, sim::dump_json(json, 1) + "\n");
  written_ = std::exchange(boxes_, {});
} catch (const sim::Error&) {
  file_.clear();
}

void tooltip(const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  // Readable beside a dimmed row too.
  ImGui::PushStyleVar(ImGuiStyleVar_Alpha, 1.0F);
  ImGui::BeginTooltip();
  const float room = ImGui::GetIO().DisplaySize.x - 4.0F * ImGui::GetStyle().WindowPadding.x;
  ImGui::PushTextWrapPos(std::clamp(ImGui::GetFontSize() * 28.0F, 1.0F, std::max(room, 1.0F)));
  ImGui::TextUnformatted(shown_text(text).c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
  ImGui::PopStyleVar();
}

bool named_button(WidgetMap& widgets, const std::string& name, const char* label,
                  const std::string& meaning) {
  const bool clicked = ImGui::Button(label);
  widgets.note(name);
  tooltip(meaning);
  return clicked;
}

bool named_checkbox(WidgetMap& widgets, const std::string& name, const char* label, bool& on,
                    const std::string& meaning) {
  const bool changed = ImGui::Checkbox(label, &on);
  widgets.note(name);
  tooltip(meaning);
  return changed;
}

bool begin_named_list(WidgetMap& widgets, const std::string& name, const std::string& present,
                      const std::string& meaning, int flags) {
  const auto id = "##" + name;
  const bool open = ImGui::BeginCombo(id.c_str(), present.c_str(), flags);
  widgets.note(name);
  if (!open) tooltip(meaning);
  return open;
}

void heighten_for_fingers() {
  if (is_for_fingers()) ImGui::AlignTextToFramePadding();
}

bool list_entry(const std::string& label, bool is_present) {
  const float height = is_for_fingers() ? ImGui::GetFrameHeight() : 0.0F;
  return ImGui::Selectable(label.c_str(), is_present, ImGuiSelectableFlags_None, {0.0F, height});
}

bool named_entry(WidgetMap& widgets, const std::string& name, const std::string& label, bool is_present,
                 const std::string& meaning) {
  const bool chosen = list_entry(label, is_present);
  widgets.note(name);
  tooltip(meaning);
  return chosen;
}

void wrapped_text(const ImVec4& color, const std::string& text) {
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextWrapped("%s", text.c_str());
  ImGui::PopStyleColor();
}

void text_in(ImFont* font, const ImVec4& color, const std::string& text) {
  ImGui::PushFont(font);
  ImGui::TextColored(color, "%s", text.c_str());
  ImGui::PopFont();
}

}  // namespace orrery::app
