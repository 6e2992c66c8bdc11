#pragma once

#include <string>

#include "app/gui/widget_map.h"

// Widgets that scripts find by a name (widget_map.h), and people by a tooltip. Each notes itself.
namespace orrery::app {

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

}  // namespace orrery::app
