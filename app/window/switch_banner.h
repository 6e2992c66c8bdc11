#pragma once

#include "app/gui/named_widgets.h"
#include "app/live/headline.h"
#include "app/live/switching.h"

// What the room sees of rates and switches, over the picture. All need a frame of Dear ImGui under way;
// `left`: how far the panel reaches, `scale`: the interface's.
namespace orrery::app {

/// Before -> after of the last switch, for some seconds. `top`: where it may begin, in window units. `keys`:
/// false where there is nobody to press them. Returns where it ends; 0 if there is none.
float draw_switch_banner(float left, float top, float scale, const Switching& switching, bool paused,
                         bool keys, WidgetMap& widgets,
                         Switching::Clock::time_point now = Switching::Clock::now());

/// Kernel, rate and share of the limit in one line, while the panel is hidden. In a small window it begins at
/// `left`, beside the button of the panel, and breaks; 0: in letters for a room. Returns where it ends.
float draw_heads_up(float scale, float left, const Headline& headline, WidgetMap& widgets);

}  // namespace orrery::app
