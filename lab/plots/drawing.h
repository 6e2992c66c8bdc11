#pragma once

#include "lab/plots/canvas.h"
#include "lab/plots/figure.h"

namespace orrery::plots {

/// The area of a panel's axes in the picture.
struct Frame {
  Box box;
  Axis x, y;  ///< the panel's; of panels with equal units longer where there is room
  Place at(Point point) const;
};

/// The areas of all panels of the figure, in their order.
std::vector<Frame> frames_of(const Figure& figure, const Canvas& canvas);

/// Draws the whole figure on a white ground.
void draw(const Figure& figure, const Canvas& canvas);

}  // namespace orrery::plots
