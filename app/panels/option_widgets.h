#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "app/gui/named_widgets.h"
#include "app/panels/panel.h"

namespace orrery::app {

/// The label of an option as ImGui takes it, with the name as identifier.
std::string widget_text(const sim::Option& option);

/// A value as people write it: what is suggested for a dataset has many digits.
std::string short_text(const sim::OptionValue& value);

/// The text for one of the option's choices: "Dim others". Kernels and engines keep their names.
std::string choice_text(const sim::Option& option, const std::string& choice);

/// The label of the next widget, to its left, or above it where one of them is too long for that; `needed`
/// is the width that the widget cannot do without (0: that of a short number). The widget fills what is left.
void row_label(const std::string& label, float needed = 0.0F);

/// The row of one described option: label and checkbox, slider or list, its meaning and name as tooltip.
/// Values that conflict are greyed with the reason; an option without effect is dimmed with the reason, and
/// one that is `unavailable`, for the reason given, cannot be changed. Right-click sets the default.
void option_widget(PanelContext& context, const sim::Option& option, const std::string& unavailable = {});

/// A condition on an option; null: no option.
using OptionTest = bool (*)(const PanelContext& context, const sim::Option& option);

/// The rows of all options of some groups, in their order, without those that are `hidden`. Those that are
/// `fine` and those without effect are folded away at the end.
void option_groups(PanelContext& context, std::initializer_list<std::string_view> groups,
                   OptionTest hidden = nullptr, OptionTest fine = nullptr);

}  // namespace orrery::app
