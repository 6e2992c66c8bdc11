#pragma once

#include <imgui.h>

#include <string>

#include "app/gui/dot_names.h"
#include "lab/plots/axis.h"
#include "lab/plots/figure.h"

// Plots in the panel, with the ticks that figures in files have.
namespace orrery::app {

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

/// Draws the points of a panel's lines with axes, their names, and a legend, where the next widget would
/// stand. Returns the names of the points under the cursor with their values; empty if none is. Colours are
/// of the interface. Panels with bars or maps are not for it.
std::string draw_dots(const plots::Panel& panel, ImVec2 size, DotNames names = DotNames::that_fit);

}  // namespace orrery::app
