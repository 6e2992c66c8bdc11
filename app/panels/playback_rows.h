#pragma once

#include "app/panels/panel.h"

namespace orrery::app {

/// Rows of the section Dataset while a series plays: where it is, how fast, and simulating from here.
void playback_rows(PanelContext& context);

}  // namespace orrery::app
