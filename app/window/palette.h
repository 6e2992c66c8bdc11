#pragma once

#include "app/gui/chooser.h"

namespace orrery::app {

class Viewer;

/// Everything that can be done: every key, command, option, value, section of the panel and dataset, to be
/// found by a few letters. `viewer` must outlive the list.
ChoiceList palette_list(Viewer& viewer);

}  // namespace orrery::app
