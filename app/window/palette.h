#pragma once

#include "app/gui/chooser.h"

namespace orrery::app {

class Viewer;

/// The name of the list.
inline constexpr const char* demo_list_name = "demos";

/// The demonstrations of the program and of the person; choosing one starts it. Damaged files are lines that
/// say what is wrong. `viewer` must outlive the list.
ChoiceList demo_list(Viewer& viewer);
/// The lines alone, for the palette too.
std::vector<Choice> demo_choices(Viewer& viewer);

class Viewer;

/// Everything that can be done: every key, command, option, value, section of the panel and dataset, to be
/// found by a few letters. `viewer` must outlive the list.
ChoiceList palette_list(Viewer& viewer);

}  // namespace orrery::app
