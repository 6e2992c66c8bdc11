#pragma once

#include <imgui.h>

#include <filesystem>
#include <glm/glm.hpp>
#include <map>
#include <string>

namespace orrery::app {

/// The positions of the panel's widgets in the last frame, by the name of what they set: for scripts that
/// drive the real window. Written as JSON to the file that the environment variable ORRERY_WIDGET_MAP names,
/// when something moved; otherwise nothing is recorded. Builds without ORRERY_ASSERTIONS never write one.
/// While one is written the window draws as when idle.
class WidgetMap {
 public:
  WidgetMap();
  bool enabled() const { return !file_.empty(); }
  /// Call right after a widget: its rectangle in window units. What is scrolled out of view has its name with
  /// `hidden:` before it.
  void note(const std::string& name);
  /// Notes a rectangle that is drawn without a widget.
  void note_box(const std::string& name, glm::vec2 low, glm::vec2 high) {
    if (enabled()) boxes_[name] = {low, high};
  }
  /// Leaves out what was noted in this frame so far.
  void forget() { boxes_.clear(); }
  /// Call it at the end of a frame.
  void write();

 private:
  struct Box {
    glm::vec2 low, high;
    bool operator==(const Box&) const = default;
  };
  std::filesystem::path file_;
  std::map<std::string, Box> boxes_;
  std::map<std::string, Box> written_;
};

/// A tooltip for the last widget, shown while the cursor rests on it, even if it is disabled.
void tooltip(const std::string& text);

/// Makes the next row of text, for example one that unfolds, as high as a button where fingers press it.
void heighten_for_fingers();

/// A button with a name in `widgets`. True if it was clicked.
bool named_button(WidgetMap& widgets, const std::string& name, const char* label,
                  const std::string& meaning = {});
/// True if `on` was changed.
bool named_checkbox(WidgetMap& widgets, const std::string& name, const char* label, bool& on,
                    const std::string& meaning = {});

/// A list that shows `present` while it is closed; the meaning is its tooltip then. True while it is open:
/// then come its entries and ImGui::EndCombo. `flags`: ImGuiComboFlags.
bool begin_named_list(WidgetMap& widgets, const std::string& name, const std::string& present,
                      const std::string& meaning = {}, int flags = 0);
/// An entry of a list, high enough for what presses it. True if it was chosen.
bool list_entry(const std::string& label, bool is_present);
/// As list_entry, but with a name in `widgets`, for example `list=entry`.
bool named_entry(WidgetMap& widgets, const std::string& name, const std::string& label, bool is_present,
                 const std::string& meaning = {});

/// A text, of a colour or as others, broken at the end of the line.
void wrapped_text(const ImVec4& color, const std::string& text);
inline void wrapped_text(const std::string& text) { ImGui::TextWrapped("%s", text.c_str()); }

/// A text of a font and a colour.
void text_in(ImFont* font, const ImVec4& color, const std::string& text);

}  // namespace orrery::app
