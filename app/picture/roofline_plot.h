#pragma once

#include <imgui.h>

#include "lab/bench/roofline.h"

namespace orrery::app {

/// Axes that hold every point and the ends of the limits, and where they lie in the picture.
struct RooflineFrame {
  lab::LogAxis x;  ///< issue slots of an interaction
  lab::LogAxis y;  ///< GInteractions/s
  ImVec2 corner;   ///< upper left corner of the plot
  ImVec2 size;     ///< of the plot
  ImVec2 at(double slots, double gips) const;
};

/// `origin` and `size` are the figure's rectangle in a draw list's units, `scale` the size of text relative
/// to normal.
RooflineFrame roofline_frame(const lab::Roofline& roofline, ImVec2 origin, ImVec2 size, float scale);

/// Draws the figure with its background: rate over slots, both logarithmic; the falling line of the issue
/// limit, the level line of one special function an interaction, a ring where `reference_slots` meet the
/// issue limit, a point with its name for each kernel (its number where there are many), a dash where its own
/// number of special functions sets its limit. All are listed on the right, with the share of the nearer
/// limit. Needs a point and an instruction rate.
void draw_roofline(ImDrawList& list, ImVec2 origin, ImVec2 size, float scale, const lab::Roofline& roofline);

}  // namespace orrery::app
