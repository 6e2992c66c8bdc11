#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/plots/axis.h"

// A figure as data: what it shows, not how it is drawn (drawing.h) nor into what (figure_file.h). Texts may
// have raised parts, "N^{2}".
namespace orrery::plots {

/// Display values (sRGB), 0 to 1.
struct Color {
  double red = 0.0, green = 0.0, blue = 0.0, alpha = 1.0;

  friend bool operator==(const Color&, const Color&) = default;
};

/// Colours for things of different kinds, which people with any kind of colour vision tell apart: those of M.
/// Okabe and K. Ito, "Color Universal Design" (2008), the yellow left out, which is lost on paper. They
/// repeat after `distinct_colors`.
Color distinct(std::size_t index);
inline constexpr std::size_t distinct_colors = 7;

/// Colours for a number from 0 to 1, pale to dark: cubehelix (Green 2011, Bulletin of the Astronomical
/// Society of India 39, 289; start 0.5, -0.6 rotations, hue 1.1) from its bright end on. Brightness falls
/// evenly, so that it also reads in print without colours.
Color sequential(double part);
/// Colours of COM4521's activity map, from black to red.
Color reds(double part);

/// Perceived brightness, 0 to 1 (Rec. 709 luma of the display values).
double brightness(const Color& color);

inline constexpr Color black{};
inline constexpr Color white{1.0, 1.0, 1.0};
/// Greys, from black (0) to white (1).
constexpr Color gray(double value) { return {value, value, value}; }

/// A point in the units of its axes.
struct Point {
  double x = 0.0, y = 0.0;
};

/// The sign at a point; how a line is broken.
enum class Marker { none, circle, square, triangle, diamond, cross };
enum class Dash { solid, dashed, dotted };

/// A curve, or points where it is not joined. What is not finite, or not above 0 on a logarithmic axis,
/// interrupts it.
struct Line {
  std::string name;  ///< name in the legend; empty: not listed
  std::vector<Point> points = {};
  Color color = {};
  double width = 1.6;
  Dash dash = Dash::solid;
  Marker marker = Marker::none;
  double marker_size = 2.9;              ///< half of its width
  bool joined = true;                    ///< false: markers only
  std::vector<std::string> labels = {};  ///< beside the points; empty, or one each
};

/// One bar for each category of the panel's category axis.
struct Bars {
  std::string name;  ///< name in the legend; empty: not listed
  Color color;
  std::vector<double> values;           ///< NaN: no bar
  std::vector<double> errors = {};      ///< half of the length of a whisker; empty: none
  std::vector<std::string> texts = {};  ///< at the end of the bar; empty: none
};

/// Cells over the whole panel, the first row and column at the low ends of the axes.
struct HeatMap {
  std::size_t columns = 0, rows = 0;
  std::vector<double> values;           ///< row by row; NaN: there is none; hatched where others have texts
  std::vector<std::string> texts = {};  ///< texts of the cells; empty: no texts
  Axis ramp;                            ///< colour scale, drawn beside the map
  Color (*color)(double part) = sequential;
  std::optional<std::size_t> marked = {};  ///< a cell with a frame about it
};

/// A bar from one value of the x axis to another, on a category of the y axis.
struct Span {
  double row = 0.0;
  double from = 0.0, to = 0.0;
  Color color;
  std::string text = {};  ///< text inside the bar, drawn where it fits
};

/// An entry of the legend for what has no name of its own.
struct LegendEntry {
  std::string name;
  Color color;
  Marker marker = Marker::square;
};

/// A word at a point.
struct Note {
  Point at;
  std::string text;
  Color color = black;
};

/// One pair of axes with what lies in them. Categories of the y axis stand from the top down, numbers rise.
struct Panel {
  std::string title = {};
  Axis x, y;
  std::optional<HeatMap> heat = {};
  std::vector<Span> spans = {};
  std::vector<Bars> bars = {};
  std::vector<Line> lines = {};
  std::vector<Note> notes = {};
  std::vector<LegendEntry> legend = {};  ///< before the entries of lines and bars
  bool horizontal = false;               ///< bars: categories on the y axis
  bool stacked = false;                  ///< bars: of one category end to end, not beside each other
  bool equal = false;                    ///< a unit of x is as long as one of y
};

/// Panels side by side. Width and height are in units of 1/72 inch, the pixels of a picture at scale 1.
struct Figure {
  std::string title;
  std::string subtitle = {};  ///< below the title: dataset, machine
  std::string note = {};      ///< at the bottom, small
  std::vector<Panel> panels;
  double width = 800.0, height = 500.0;
};

}  // namespace orrery::plots
