#pragma once

#include <imgui.h>

#include "sim/options/configuration.h"

namespace orrery::app {

/// The colours of everything that is written or drawn over a picture.
struct OverlayStyle {
  ImU32 ink;      ///< texts, the scale bar
  ImU32 soft;     ///< colour of secondary text: units, names, tick numbers
  ImU32 line;     ///< frames and ticks
  ImU32 faint;    ///< grids and the background
  ImU32 halo;     ///< around texts, so that they can be read on a bright galaxy too
  ImU32 accent;   ///< colour of highlights
  ImU32 arrow;    ///< velocities
  ImU32 x, y, z;  ///< the axes
};

/// The style for a background of that luminance: 0 black, 1 white.
OverlayStyle overlay_style(float background);
/// The style for the background that the options choose.
OverlayStyle overlay_style(const sim::Configuration& configuration);

}  // namespace orrery::app
