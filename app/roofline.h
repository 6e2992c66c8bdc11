#pragma once

#include <imgui.h>

#include <string>
#include <vector>

namespace orrery::app {

/// A measured kernel in the figure.
struct RooflinePoint {
  std::string label;
  double slots = 0.0;    ///< instructions issued for an interaction, counted in the machine code; above 0
  double gips = 0.0;     ///< 1e9 interactions per second, measured; above 0
  double special = 1.0;  ///< special functions of an interaction; may be 0
};

/// What the figure shows: the rates of kernels beneath what their device allows. Rates are of one device.
struct Roofline {
  std::string title;
  double instruction_rate = 0.0;  ///< 1e9 instructions of a lane per second that the device issues
  double special_rate = 0.0;      ///< 1e9 special functions per second; 0: not known
  double reference_slots = 13.0;  ///< of the FP32 limit that reports compare with
  std::vector<RooflinePoint> points;
};

/// A logarithmic axis: the value at one end and at the other, both above 0.
struct LogAxis {
  double low = 1.0, high = 10.0;
  /// 0 at `low`, 1 at `high`.
  double place(double value) const;
  /// 1, 1.5, 2, 3, 5 and 7 times powers of ten between the ends; the powers only, over more than 3 decades.
  std::vector<double> ticks() const;
};

/// Axes that hold every point and the ends of the limits, and where they lie in the picture.
struct RooflineFrame {
  LogAxis x;      ///< issue slots of an interaction
  LogAxis y;      ///< GInteractions/s
  ImVec2 corner;  ///< upper left corner of the plot
  ImVec2 size;    ///< of the plot
  ImVec2 at(double slots, double gips) const;
};

/// `origin` and `size` are the figure's rectangle in a draw list's units, `scale` the size of text relative
/// to normal.
RooflineFrame roofline_frame(const Roofline& roofline, ImVec2 origin, ImVec2 size, float scale);

/// Draws the figure with its background: rate over slots, both logarithmic; the falling line of the issue
/// limit, the level line of one special function an interaction, a ring where `reference_slots` meet the
/// issue limit, a point with its name for each kernel (its number where there are many), a dash where its own
/// number of special functions sets its limit. All are listed on the right, with the share of the nearer
/// limit. Needs a point and an instruction rate.
void draw_roofline(ImDrawList& list, ImVec2 origin, ImVec2 size, float scale, const Roofline& roofline);

}  // namespace orrery::app
