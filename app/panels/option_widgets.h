#pragma once

#include "app/panels/panel.h"

namespace orrery::app {

/// The label of an option as ImGui takes it, with the name as identifier.
std::string widget_text(const sim::Option& option);

/// The widget of one described option: checkbox, slider or list with its label, its meaning and name as
/// tooltip. Values that conflict are greyed with the reason; an option without effect is dimmed with the
/// reason. Right-click sets the default.
void option_widget(PanelContext& context, const sim::Option& option);

/// The widgets of all options of a group, in their order, without those that `hidden` names.
void option_group(PanelContext& context, std::string_view group,
                  bool (*hidden)(const PanelContext& context, const sim::Option& option) = nullptr);

/// A tooltip for the last widget, shown while the cursor rests on it, even if it is disabled.
void tooltip(const std::string& text);

}  // namespace orrery::app
