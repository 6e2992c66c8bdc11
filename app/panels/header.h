#pragma once

#include "app/panels/panel.h"

namespace orrery::app {

/// The top of the panel, above what scrolls: rate, kernel, badge, share of the limit, and the buttons of a
/// demonstration. Needs a window of Dear ImGui under way.
void draw_header(PanelContext& context);

}  // namespace orrery::app
