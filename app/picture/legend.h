#pragma once

#include <imgui.h>

#include <optional>
#include <string>

#include "app/picture/scene_summary.h"
#include "sim/options/configuration.h"

namespace orrery::app {

/// What the legend says besides the colours.
struct LegendInfo {
  std::string title;
  double time = 0.0;
  std::uint64_t steps = 0;
  std::optional<float> map_largest =
      {};  ///< value of the activity map that is drawn; empty: none, or not known
};

/// Draws the legend of a picture: dataset, number of bodies, time and step at the lower left, the colour bar
/// with range and unit (or the components with their colours) at the lower right. `origin` and `size` are the
/// picture's rectangle in the draw list's units, `scale` the size of text relative to normal.
void draw_legend(ImDrawList& list, ImVec2 origin, ImVec2 size, float scale, const LegendInfo& info,
                 const SceneSummary& summary, const sim::Configuration& configuration);

}  // namespace orrery::app
