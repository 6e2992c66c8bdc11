#include "lab/plots/drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace orrery::plots {

namespace {

constexpr double margin = 14.0;
constexpr double gap = 5.0;  ///< between an axis and what stands beside it
constexpr double panel_gap = 22.0;
constexpr double tick_length = 4.0;
constexpr double ramp_width = 11.0;
constexpr double line_height = 1.5;
constexpr double slope = -std::numbers::pi / 5.0;  ///< angle of category names that do not fit side by side

constexpr Color axis_color = gray(0.25);
constexpr Color grid_color = gray(0.90);
constexpr Color faint = gray(0.38);
constexpr Color none_color = gray(0.72);

const TextStyle title_style{.size = 14.0, .bold = true, .down = 0.0};
const TextStyle subtitle_style{.size = 10.0, .color = faint, .down = 0.0};
const TextStyle note_style{.size = 8.5, .color = faint, .down = 1.0};
const TextStyle panel_style{.size = 11.0, .bold = true, .down = 0.0};
const TextStyle label_style{.size = 11.0, .across = 0.5};
const TextStyle tick_style{.size = 10.0};
const TextStyle value_style{.size = 9.0};
const TextStyle legend_style{.size = 10.0};

TextStyle with_across(TextStyle style, double across) {
  style.across = across;
  return style;
}

/// Names in the legend, one for each that occurs.
struct Entry {
  std::string name;
  Color color;
  Marker marker = Marker::square;
  bool joined = false;
  Dash dash = Dash::solid;
};

std::vector<Entry> entries_of(const Figure& figure) {
  std::vector<Entry> all;
  std::set<std::string> known;
  const auto add = [&](Entry entry) {
    if (!entry.name.empty() && known.insert(entry.name).second) all.push_back(std::move(entry));
  };
  for (const auto& panel : figure.panels) {
    for (const auto& each : panel.legend) add({each.name, each.color, each.marker});
    for (const auto& each : panel.bars) add({each.name, each.color});
    for (const auto& each : panel.lines) add({each.name, each.color, each.marker, each.joined, each.dash});
  }
  return all;
}

/// The legend above all panels, broken into rows.
class Legend {
 public:
  Legend(const Figure& figure, const Canvas& canvas) : canvas_(canvas), entries_(entries_of(figure)) {
    const double room = figure.width - 2.0 * margin;
    double x = 0.0;
    for (const auto& entry : entries_) {
      const double width = sign + gap + canvas.width(entry.name, legend_style);
      if (x > 0.0 && x + width > room) {
        x = 0.0;
        ++rows_;
      }
      places_.push_back({x, row_height * static_cast<double>(rows_)});
      x += width + 16.0;
    }
    if (!entries_.empty()) ++rows_;
  }

  double height() const { return rows_ == 0 ? 0.0 : row_height * static_cast<double>(rows_) + 2.0; }

  void draw(Place corner) const {
    for (std::size_t k = 0; k < entries_.size(); ++k) {
      const auto& entry = entries_[k];
      const Place at{corner.x + places_[k].x, corner.y + places_[k].y + 0.5 * row_height};
      draw_sign(entry, at);
      canvas_.text({at.x + sign + gap, at.y}, entry.name, legend_style);
    }
  }

 private:
  static constexpr double sign = 18.0;
  static constexpr double row_height = 1.6 * 10.0;

  void draw_sign(const Entry& entry, Place at) const {
    const Place middle{at.x + 0.5 * sign, at.y};
    if (entry.joined) canvas_.line(at, {at.x + sign, at.y}, {entry.color, 2.0, entry.dash});
    if (entry.joined)
      canvas_.marker(middle, entry.marker, 3.2, entry.color);
    else if (entry.marker == Marker::square)
      canvas_.fill({at.x + 4.0, at.y - 4.5, 14.0, 9.0}, entry.color);
    else
      canvas_.marker(middle, entry.marker, 3.8, entry.color);
  }

  const Canvas& canvas_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  std::size_t rows_ = 0;
};

std::vector<Tick> x_ticks(const Axis& axis, double width) {
  return ticks(axis, static_cast<int>(std::max(width / 75.0, 2.0)));
}
std::vector<Tick> y_ticks(const Axis& axis, double height) {
  return ticks(axis, static_cast<int>(std::max(height / 42.0, 2.0)));
}

double widest(const std::vector<Tick>& all, const Canvas& canvas) {
  double width = 0.0;
  for (const auto& tick : all) width = std::max(width, canvas.width(tick.text, tick_style));
  return width;
}

/// True where names of categories do not fit below a panel of that width side by side.
bool crowded(const Axis& axis, double width, const Canvas& canvas) {
  if (axis.categories.empty()) return false;
  return widest(ticks(axis, 0), canvas) + 4.0 > width / static_cast<double>(axis.categories.size());
}

/// The margins of a panel.
struct Edges {
  double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
};

double x_names_height(const Panel& panel, double width, const Canvas& canvas) {
  if (!crowded(panel.x, width, canvas)) return tick_style.size;
  return std::sin(-slope) * widest(ticks(panel.x, 0), canvas) + tick_style.size;
}

Edges edges_of(const Panel& panel, const Box& room, const Canvas& canvas) {
  Edges edges;
  edges.top = panel.title.empty() ? 4.0 : panel_style.size * line_height + 3.0;
  edges.left = widest(y_ticks(panel.y, room.height), canvas) + tick_length + gap;
  if (!panel.y.label.empty()) edges.left += label_style.size * line_height;
  edges.right = 10.0;
  if (panel.heat && !panel.heat->ramp.label.empty())
    edges.right = 10.0 + ramp_width + gap + widest(y_ticks(panel.heat->ramp, room.height), canvas) +
                  label_style.size * line_height + 4.0;
  const double width = room.width - edges.left - edges.right;
  edges.bottom = x_names_height(panel, width, canvas) + tick_length + gap;
  if (!panel.x.label.empty()) edges.bottom += label_style.size * line_height;
  return edges;
}

/// Makes a unit of x as long as one of y: the axis that has room shows more, or is cut short where nothing
/// can be shown beyond its ends.
void equalize(Frame& frame, bool cut) {
  const double x_unit = frame.box.width / (frame.x.high - frame.x.low);
  const double y_unit = frame.box.height / (frame.y.high - frame.y.low);
  const double unit = std::min(x_unit, y_unit);
  if (cut) {
    frame.box.width *= unit / x_unit;
    frame.box.height *= unit / y_unit;
    return;
  }
  const auto stretch = [](Axis& axis, double by) {
    const double middle = 0.5 * (axis.low + axis.high), half = 0.5 * by * (axis.high - axis.low);
    axis.low = middle - half;
    axis.high = middle + half;
  };
  stretch(frame.x, x_unit / unit);
  stretch(frame.y, y_unit / unit);
}

double head_height(const Figure& figure, const Legend& legend) {
  double height = margin;
  if (!figure.title.empty()) height += title_style.size * line_height;
  if (!figure.subtitle.empty()) height += subtitle_style.size * line_height;
  return height + 4.0 + legend.height();
}

std::vector<Frame> layout(const Figure& figure, const Legend& legend, const Canvas& canvas) {
  const double top = head_height(figure, legend) + 4.0;
  const double bottom = figure.height - margin - (figure.note.empty() ? 0.0 : note_style.size * line_height);
  const auto count = static_cast<double>(std::max<std::size_t>(figure.panels.size(), 1));
  const double width = (figure.width - 2.0 * margin - (count - 1.0) * panel_gap) / count;
  std::vector<Frame> frames;
  double x = margin;
  for (const auto& panel : figure.panels) {
    const Box room{x, top, width, bottom - top};
    const auto edges = edges_of(panel, room, canvas);
    Frame frame{.box = {room.x + edges.left, room.y + edges.top,
                        std::max(room.width - edges.left - edges.right, 20.0),
                        std::max(room.height - edges.top - edges.bottom, 20.0)},
                .x = panel.x,
                .y = panel.y};
    if (panel.equal) equalize(frame, panel.heat.has_value());
    frames.push_back(std::move(frame));
    x += width + panel_gap;
  }
  return frames;
}

/// Draws one panel into its frame.
class PanelDrawing {
 public:
  PanelDrawing(const Panel& panel, const Frame& frame, const Canvas& canvas)
      : panel_(panel), frame_(frame), box_(frame.box), canvas_(canvas) {}

  void draw() const {
    grid();
    canvas_.clip({box_.x, box_.y - 0.5, box_.width + 0.5, box_.height + 1.0});
    if (panel_.heat) heat(*panel_.heat);
    for (const auto& span : panel_.spans) draw_span(span);
    bars();
    for (const auto& line : panel_.lines) curve(line);
    canvas_.end_clip();
    for (const auto& line : panel_.lines) markers(line);
    bar_texts();
    axes();
    for (const auto& note : panel_.notes)
      canvas_.text(frame_.at(note.at), note.text, {.size = 10.0, .color = note.color});
    labels();
    if (panel_.heat && !panel_.heat->ramp.label.empty()) ramp(*panel_.heat);
  }

 private:
  void grid() const {
    const Stroke stroke{grid_color, 0.8};
    if (panel_.heat) return;
    if (frame_.x.grid)
      for (const auto& tick : x_ticks(frame_.x, box_.width)) {
        const double x = x_of(tick.value);
        canvas_.line({x, box_.y}, {x, box_.bottom()}, stroke);
      }
    if (frame_.y.grid)
      for (const auto& tick : y_ticks(frame_.y, box_.height)) {
        const double y = y_of(tick.value);
        canvas_.line({box_.x, y}, {box_.right(), y}, stroke);
      }
  }

  void axes() const {
    const Stroke stroke{axis_color, 1.0};
    if (panel_.heat || panel_.equal) canvas_.frame(box_, stroke);
    canvas_.line({box_.x, box_.y}, {box_.x, box_.bottom()}, stroke);
    canvas_.line({box_.x, box_.bottom()}, {box_.right(), box_.bottom()}, stroke);
    x_axis(stroke);
    y_axis(stroke);
    canvas_.text({box_.x, box_.y - panel_style.size * line_height - 1.0}, panel_.title, panel_style);
  }

  void x_axis(const Stroke& stroke) const {
    const bool sloped = crowded(frame_.x, box_.width, canvas_);
    const double below = box_.bottom() + tick_length + gap;
    for (const double value : minor_ticks(frame_.x))
      canvas_.line({x_of(value), box_.bottom()}, {x_of(value), box_.bottom() + 0.5 * tick_length},
                   {axis_color, 0.6});
    for (const auto& tick : x_ticks(frame_.x, box_.width)) {
      const double x = x_of(tick.value);
      if (frame_.x.categories.empty())
        canvas_.line({x, box_.bottom()}, {x, box_.bottom() + tick_length}, stroke);
      auto style = with_across(tick_style, sloped ? 1.0 : 0.5);
      style.down = sloped ? 0.5 : 0.0;
      style.angle = sloped ? slope : 0.0;
      canvas_.text({x, sloped ? below + 2.0 : below - 2.0}, tick.text, style);
    }
    auto style = label_style;
    style.down = 0.0;
    const double names = x_names_height(panel_, box_.width, canvas_);
    canvas_.text({box_.x + 0.5 * box_.width, below + names + 3.0}, frame_.x.label, style);
  }

  void y_axis(const Stroke& stroke) const {
    const auto all = y_ticks(frame_.y, box_.height);
    for (const double value : minor_ticks(frame_.y))
      canvas_.line({box_.x - 0.5 * tick_length, y_of(value)}, {box_.x, y_of(value)}, {axis_color, 0.6});
    for (const auto& tick : all) {
      const double y = y_of(tick.value);
      if (frame_.y.categories.empty()) canvas_.line({box_.x - tick_length, y}, {box_.x, y}, stroke);
      canvas_.text({box_.x - tick_length - gap + 2.0, y}, tick.text, with_across(tick_style, 1.0));
    }
    const double left = box_.x - tick_length - gap - widest(all, canvas_) - 0.6 * label_style.size;
    rotated_label({left, box_.y + 0.5 * box_.height}, frame_.y.label);
  }

  void rotated_label(Place at, const std::string& text) const {
    auto style = label_style;
    style.angle = -0.5 * std::numbers::pi;
    canvas_.text(at, text, style);
  }

  /// Pieces of the curve between points that the axes have no place for.
  void curve(const Line& line) const {
    if (!line.joined) return;
    std::vector<Place> piece;
    const auto finish = [&] {
      if (piece.size() > 1) canvas_.polyline(piece, {line.color, line.width, line.dash});
      piece.clear();
    };
    for (const auto& point : line.points)
      if (!has_place(point))
        finish();
      else
        piece.push_back(frame_.at(point));
    finish();
  }

  void markers(const Line& line) const {
    for (const auto& point : line.points)
      if (inside(point)) canvas_.marker(frame_.at(point), line.marker, line.marker_size, line.color);
  }

  bool has_place(Point point) const {
    const auto fits = [](const Axis& axis, double value) {
      return std::isfinite(value) && (axis.scale == Scale::linear || value > 0.0);
    };
    return fits(frame_.x, point.x) && fits(frame_.y, point.y);
  }
  bool inside(Point point) const {
    if (!has_place(point)) return false;
    const auto within = [](double place) { return place > -1e-6 && place < 1.0 + 1e-6; };
    return within(frame_.x.place(point.x)) && within(frame_.y.place(point.y));
  }

  const Axis& value_axis() const { return panel_.horizontal ? frame_.x : frame_.y; }
  /// Width of the slot of a category.
  double slot() const {
    const auto& axis = panel_.horizontal ? frame_.y : frame_.x;
    const double all = panel_.horizontal ? box_.height : box_.width;
    return all / static_cast<double>(std::max<std::size_t>(axis.categories.size(), 1));
  }
  double thickness() const {
    const auto beside =
        panel_.stacked ? 1.0 : static_cast<double>(std::max<std::size_t>(panel_.bars.size(), 1));
    return std::min(0.78 * slot() / beside, 34.0);
  }

  /// The bar of a series, `from` and `to` in values.
  Box bar_box(std::size_t series, std::size_t category, double from, double to) const {
    const double thick = thickness();
    const auto beside = panel_.stacked ? 1.0 : static_cast<double>(panel_.bars.size());
    const double offset = panel_.stacked ? 0.0 : static_cast<double>(series);
    const double across = (offset - 0.5 * beside) * thick;
    const auto start = std::clamp(value_axis().place(from), 0.0, 1.0),
               end = std::clamp(value_axis().place(to), 0.0, 1.0);
    const auto middle = static_cast<double>(category);
    if (panel_.horizontal)
      return {box_.x + start * box_.width, y_of(middle) + across, (end - start) * box_.width, thick - 1.0};
    return {x_of(middle) + across, box_.bottom() - end * box_.height, thick - 1.0,
            (end - start) * box_.height};
  }

  /// Where the bars of a category begin, when those of the series before are drawn.
  double base(std::size_t series, std::size_t category) const {
    if (!panel_.stacked) return value_axis().scale == Scale::linear ? 0.0 : value_axis().low;
    double sum = 0.0;
    for (std::size_t k = 0; k < series; ++k) {
      const double value = panel_.bars[k].values.at(category);
      if (std::isfinite(value)) sum += value;
    }
    return sum;
  }
  double top(std::size_t series, std::size_t category) const {
    const double value = panel_.bars[series].values.at(category);
    return panel_.stacked ? base(series, category) + value : value;
  }

  void bars() const {
    for (std::size_t series = 0; series < panel_.bars.size(); ++series) {
      const auto& all = panel_.bars[series];
      for (std::size_t k = 0; k < all.values.size(); ++k) {
        if (!std::isfinite(all.values[k])) continue;
        const auto box = bar_box(series, k, base(series, k), top(series, k));
        canvas_.fill(box, all.color);
        if (k < all.errors.size() && all.errors[k] > 0.0) whisker(box, all.values[k], all.errors[k]);
      }
    }
  }

  void whisker(const Box& box, double value, double error) const {
    const auto place = [&](double at) { return std::clamp(value_axis().place(at), 0.0, 1.0); };
    const double low = place(std::max(value - error, value_axis().low)), high = place(value + error);
    const Stroke stroke{axis_color, 1.0};
    if (panel_.horizontal) {
      const double y = box.y + 0.5 * box.height;
      canvas_.line({box_.x + low * box_.width, y}, {box_.x + high * box_.width, y}, stroke);
    } else {
      const double x = box.x + 0.5 * box.width;
      canvas_.line({x, box_.bottom() - low * box_.height}, {x, box_.bottom() - high * box_.height}, stroke);
    }
  }

  void bar_texts() const {
    for (std::size_t series = 0; series < panel_.bars.size(); ++series) {
      const auto& all = panel_.bars[series];
      for (std::size_t k = 0; k < all.texts.size(); ++k) {
        if (all.texts[k].empty()) continue;
        const double value = all.values.at(k);
        const double error = k < all.errors.size() && std::isfinite(all.errors[k]) ? all.errors[k] : 0.0;
        const bool there = std::isfinite(value);
        const double from = there ? base(series, k) : value_axis().low;
        bar_text(bar_box(series, k, from, there ? top(series, k) + error : from), all.texts[k], there);
      }
    }
  }

  void bar_text(const Box& box, const std::string& text, bool there) const {
    auto style = value_style;
    if (!there) style.color = faint;
    style.size = std::min(style.size, std::max(0.85 * thickness(), 6.0));
    if (panel_.horizontal) return canvas_.text({box.right() + 4.0, box.y + 0.5 * box.height}, text, style);
    style.across = 0.5;
    style.down = 1.0;
    canvas_.text({box.x + 0.5 * box.width, box.y - 4.0}, text, style);
  }

  void draw_span(const Span& span) const {
    const double height = std::min(0.8 * box_.height / (frame_.y.high - frame_.y.low), 30.0);
    const double left = std::max(x_of(span.from), box_.x), right = std::min(x_of(span.to), box_.right());
    if (right < left) return;
    const Box box{left, y_of(span.row) - 0.5 * height, std::max(right - left, 0.4), height};
    canvas_.fill(box, span.color);
    if (!span.text.empty() && canvas_.width(span.text, value_style) + 4.0 < box.width) {
      auto style = with_across(value_style, 0.5);
      style.color = brightness(span.color) > 0.5 ? black : white;
      canvas_.text({box.x + 0.5 * box.width, box.y + 0.5 * box.height}, span.text, style);
    }
  }

  static Color cell_color(const HeatMap& map, double value) {
    if (!std::isfinite(value)) return map.texts.empty() ? white : gray(0.95);
    return map.color(std::clamp(map.ramp.place(value), 0.0, 1.0));
  }

  Box cell_box(const HeatMap& map, std::size_t column, std::size_t row) const {
    const double width = box_.width / static_cast<double>(map.columns);
    const double height = box_.height / static_cast<double>(map.rows);
    const bool down = !frame_.y.categories.empty();
    const auto from_top = static_cast<double>(down ? row : map.rows - 1 - row);
    return {box_.x + static_cast<double>(column) * width, box_.y + from_top * height, width, height};
  }

  void heat(const HeatMap& map) const {
    constexpr std::size_t most_boxes = 1024;
    if (map.columns * map.rows > most_boxes) return heat_image(map);
    for (std::size_t row = 0; row < map.rows; ++row)
      for (std::size_t column = 0; column < map.columns; ++column) cell(map, column, row);
    if (!map.marked) return;
    auto box = cell_box(map, *map.marked % map.columns, *map.marked / map.columns);
    // Seen on dark and on pale cells.
    canvas_.frame({box.x + 2.0, box.y + 2.0, box.width - 4.0, box.height - 4.0}, {white, 4.0});
    canvas_.frame({box.x + 2.0, box.y + 2.0, box.width - 4.0, box.height - 4.0}, {distinct(1), 2.4});
  }

  void cell(const HeatMap& map, std::size_t column, std::size_t row) const {
    const auto index = row * map.columns + column;
    const double value = map.values.at(index);
    const auto box = cell_box(map, column, row);
    const auto color = cell_color(map, value);
    canvas_.fill({box.x, box.y, box.width + 0.2, box.height + 0.2}, color);
    if (!std::isfinite(value) && !map.texts.empty()) canvas_.hatch(box, none_color);
    if (index >= map.texts.size() || map.texts[index].empty()) return;
    auto style = with_across(value_style, 0.5);
    style.color = brightness(color) > 0.5 ? black : white;
    if (canvas_.width(map.texts[index], style) < box.width)
      canvas_.text({box.x + 0.5 * box.width, box.y + 0.5 * box.height}, map.texts[index], style);
  }

  void heat_image(const HeatMap& map) const {
    std::vector<Color> cells;
    cells.reserve(map.values.size());
    const bool down = !frame_.y.categories.empty();
    for (std::size_t row = 0; row < map.rows; ++row) {
      const auto from = down ? row : map.rows - 1 - row;
      for (std::size_t column = 0; column < map.columns; ++column)
        cells.push_back(cell_color(map, map.values[from * map.columns + column]));
    }
    canvas_.image(box_, map.columns, map.rows, cells);
  }

  void ramp(const HeatMap& map) const {
    constexpr int steps = 64;
    const double x = box_.right() + 10.0;
    for (int k = 0; k < steps; ++k) {
      const double height = box_.height / steps;
      canvas_.fill({x, box_.bottom() - (k + 1) * height, ramp_width, height + 0.3},
                   map.color((k + 0.5) / steps));
    }
    canvas_.frame({x, box_.y, ramp_width, box_.height}, {axis_color, 0.8});
    const auto all = y_ticks(map.ramp, box_.height);
    for (const auto& tick : all) {
      const double y = box_.bottom() - map.ramp.place(tick.value) * box_.height;
      canvas_.line({x + ramp_width, y}, {x + ramp_width + 3.0, y}, {axis_color, 0.8});
      canvas_.text({x + ramp_width + gap + 1.0, y}, tick.text, tick_style);
    }
    const double right = x + ramp_width + gap + widest(all, canvas_) + 0.9 * label_style.size;
    rotated_label({right, box_.y + 0.5 * box_.height}, map.ramp.label);
  }

  /// Beside the points where nothing is written yet; a thin line leads to those that lie apart.
  void labels() const {
    std::vector<Box> taken;
    for (const auto& line : panel_.lines) {
      if (line.marker == Marker::none) continue;
      for (const auto& point : line.points)
        if (inside(point)) taken.push_back(around(frame_.at(point), line.marker_size + 1.0));
    }
    for (const auto& line : panel_.lines) {
      for (std::size_t k = 0; k < line.labels.size(); ++k)
        if (!line.labels[k].empty() && inside(line.points.at(k)))
          label(line.points[k], line.labels[k], taken);
    }
  }

  static Box around(Place at, double reach) { return {at.x - reach, at.y - reach, 2.0 * reach, 2.0 * reach}; }

  void label(Point point, const std::string& text, std::vector<Box>& taken) const {
    const auto at = frame_.at(point);
    const double width = canvas_.width(text, value_style), height = value_style.size + 2.0;
    Box box;
    int attempt = 0;
    for (; attempt < 64; ++attempt) {
      const bool left = attempt % 2 == 1;
      const int row = attempt / 2 % 8, away = attempt / 16;  // 0, 1 below, 1 above, 2 below, ...
      const double line = row % 2 == 1 ? 0.5 * (row + 1) : -0.5 * row;
      const double reach = 6.0 + away * 1.2 * width;
      box = {left ? at.x - reach - width : at.x + reach, at.y + (line - 0.5) * height, width, height};
      const bool fits = box.x > box_.x && box.y > box_.y - height;
      if (fits && std::ranges::none_of(taken, [&](const Box& other) { return other.overlaps(box); })) break;
    }
    taken.push_back(box);
    if (attempt > 1)
      canvas_.line(at, {box.x < at.x ? box.right() : box.x, box.y + 0.5 * height}, {none_color, 0.7});
    canvas_.text({box.x, box.y + 0.5 * height}, text, value_style);
  }

  double x_of(double value) const { return frame_.at({value, frame_.y.low}).x; }
  double y_of(double value) const { return frame_.at({frame_.x.low, value}).y; }

  const Panel& panel_;
  const Frame& frame_;
  const Box& box_;
  const Canvas& canvas_;
};

}  // namespace

Place Frame::at(Point point) const {
  const double up = y.place(point.y);
  const double down = y.categories.empty() ? 1.0 - up : up;
  return {box.x + box.width * x.place(point.x), box.y + box.height * down};
}

std::vector<Frame> frames_of(const Figure& figure, const Canvas& canvas) {
  return layout(figure, Legend(figure, canvas), canvas);
}

void draw(const Figure& figure, const Canvas& canvas) {
  canvas.fill({0.0, 0.0, figure.width, figure.height}, white);
  double y = margin;
  canvas.text({margin, y}, figure.title, title_style);
  if (!figure.title.empty()) y += title_style.size * line_height;
  canvas.text({margin, y}, figure.subtitle, subtitle_style);
  if (!figure.subtitle.empty()) y += subtitle_style.size * line_height;
  const Legend legend(figure, canvas);
  legend.draw({margin, y + 4.0});
  const auto frames = layout(figure, legend, canvas);
  for (std::size_t k = 0; k < frames.size(); ++k) PanelDrawing(figure.panels[k], frames[k], canvas).draw();
  canvas.text({margin, figure.height - 0.6 * margin}, figure.note, note_style);
}

}  // namespace orrery::plots
