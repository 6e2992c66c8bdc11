#pragma once

#include <span>
#include <string>

#include "lab/plots/figure.h"

typedef struct _cairo cairo_t;  // NOLINT: Cairo's own declaration

namespace orrery::plots {

/// A position in a picture's units, relative to its upper left corner.
struct Place {
  double x = 0.0, y = 0.0;
};
struct Box {
  double x = 0.0, y = 0.0, width = 0.0, height = 0.0;

  double right() const { return x + width; }
  double bottom() const { return y + height; }
  bool overlaps(const Box& other) const {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }
};

/// Font and anchor of a text.
struct TextStyle {
  double size = 10.0;
  bool bold = false;
  Color color = black;
  double across = 0.0;  ///< 0: its left end, 0.5: the middle, 1: the right end
  double down = 0.5;    ///< 0: its upper end, 0.5: the middle, 1: the baseline
  double angle = 0.0;   ///< radians, clockwise
};

/// Colour, width and dashes of a line.
struct Stroke {
  Color color;
  double width = 1.0;
  Dash dash = Dash::solid;
};

/// The drawing surface of figures: a few shapes and texts on one of Cairo's surfaces. Texts take the font
/// DejaVu Sans, or what the machine has in its position; where it has none, Cairo's own letters.
class Canvas {
 public:
  /// Borrows `cairo`, which must outlive it.
  explicit Canvas(cairo_t* cairo);

  /// A filled box; the edge of one; a straight line; a line through all points.
  void fill(const Box& box, const Color& color) const;
  void frame(const Box& box, const Stroke& stroke) const;
  void line(Place from, Place to, const Stroke& stroke) const;
  void polyline(std::span<const Place> points, const Stroke& stroke) const;
  /// Draws a marker; `size` is half of its width.
  void marker(Place at, Marker marker, double size, const Color& color) const;
  /// Lines from below left to above right, for "there is none".
  void hatch(const Box& box, const Color& color) const;
  /// Cells as one picture with hard edges, the first row at the top.
  void image(const Box& box, std::size_t columns, std::size_t rows, std::span<const Color> cells) const;

  /// The bounding box of `text`, including superscripts.
  void text(Place at, const std::string& text, const TextStyle& style) const;
  double width(const std::string& text, const TextStyle& style) const;

  /// Between clip() and end_clip() nothing is drawn outside of the box.
  void clip(const Box& box) const;
  void end_clip() const;

 private:
  void use(const Stroke& stroke) const;
  void use(const Color& color) const;
  void use_font(double size, bool bold) const;

  cairo_t* cairo_;
};

}  // namespace orrery::plots
