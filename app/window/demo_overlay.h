#pragma once

#include <glm/glm.hpp>
#include <vector>

#include "app/gui/named_widgets.h"
#include "app/live/demo_run.h"
#include "app/picture/overlay_sheet.h"

namespace orrery::app {

/// The button that was pressed where there are no keys.
enum class DemoPress { none, go_on, end };
/// The part of a display on which a caption may be drawn. `left`: how far the panel or a plot reaches;
/// `legend`: boxes of the texts at the picture's foot, of which the caption covers none where there is room.
struct DemoFoot {
  float left = 0.0F;
  std::vector<OverlayBox> legend = {};
};
/// Two buttons below the caption, for fingers. Needs a frame of Dear ImGui under way.
DemoPress draw_demo_buttons(const DemoFoot& foot, const DemoRun& run, WidgetMap& widgets);

/// A caption's card, in the middle of what is free of the display's width.
struct CaptionPlace {
  float width = 0.0F;
  float bottom = 0.0F;
};
/// The place of a caption between the texts at the left and those at the right, or above them where that is
/// narrow. `lowest`: the lowest position of its lower edge.
CaptionPlace caption_place(const DemoFoot& foot, glm::vec2 size, float lowest);

/// The parts of a display that charts and texts of a demonstration cover, in its units.
struct DemoCover {
  float left = 0.0F;    ///< so wide
  float top = 0.0F;     ///< down to here
  float bottom = 0.0F;  ///< from here on
};
/// The rectangle of a display of that size that charts and texts leave free. Where that is next to nothing,
/// as in a very small window, bodies may be under the texts.
DemoRoom free_room(const DemoCover& cover, glm::vec2 size);

/// The caption of a demonstration's step, large at the foot of the view, with how far it is and the keys. Its
/// letters are as large as the picture asks for (Gui::caption_font). `keys`: false in pictures. Nothing
/// unless a step is shown; the closing slide has none. Returns where it begins, or the legend of the picture
/// below it. Needs a frame of Dear ImGui under way.
float draw_demo(const DemoFoot& foot, const DemoRun& run, bool keys, WidgetMap& widgets,
                DemoRun::Clock::time_point now = DemoRun::Clock::now());

}  // namespace orrery::app
