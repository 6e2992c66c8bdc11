#pragma once

#include "app/panels/panel.h"

namespace orrery::app {

/// The side of the button that closes a panel in a small window, at scale 1: the size of a finger.
inline constexpr float close_side = 44.0F;

/// The top of the panel, above what scrolls: rate, kernel, badge, share of the limit, and the buttons of a
/// demonstration. It leaves the upper right corner to the button that closes a panel in a small window. Needs
/// a window of Dear ImGui under way.
void draw_header(PanelContext& context);

}  // namespace orrery::app
