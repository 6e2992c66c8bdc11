#pragma once

#include <imgui.h>

#include "lab/plots/axis.h"
#include "lab/plots/figure.h"

// Axes of plots in the panel, with the ticks that figures in files have.
namespace orrery::app {

/// The area of a figure's panel on the screen.
struct PlotArea {
  ImVec2 low, high;  ///< upper left and lower right corner
  const plots::Panel& panel;

  /// The position of a point of the panel, in window units.
  ImVec2 at(const plots::Point& point) const;
};

/// A colour for paper on the ground of the theme, dark or light: `ink` (0 to 1) of the colour of texts mixed
/// in.
ImU32 color_on_ground(const plots::Color& color, float ink);

/// The number of ticks of an x axis whose values have room in `width`.
int x_ticks(float width);

/// A line from `corner` to the right with ticks below and their values, as far as they do not touch; the
/// axis' label (a unit) stands after the last one. Needs the height of a line of text. Into `list`, with the
/// present font.
void draw_x_axis(ImDrawList& list, const plots::Axis& axis, ImVec2 corner, float width);

/// Faint lines through a plot between two corners, each with its value at the right end: two or three.
void draw_value_lines(const plots::Axis& axis, ImVec2 low, ImVec2 high);

/// Draws a panel's lines with axes and a legend where the next widget would stand: curves where they are
/// joined, else dots. Colours are of the interface. Where there are no points it says so. Panels with bars or
/// maps are not for it.
void draw_curves(const plots::Panel& panel, ImVec2 size);

}  // namespace orrery::app
