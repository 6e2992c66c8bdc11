#include "app/picture/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "app/gui/imgui_compat.h"
#include "app/picture/overlay_projection.h"
#include "lab/plots/axis.h"

namespace orrery::app {

namespace {

constexpr std::array<const char*, 3> names{"x", "y", "z"};

ImVec2 operator+(ImVec2 a, ImVec2 b) { return {a.x + b.x, a.y + b.y}; }
ImVec2 operator-(ImVec2 a, ImVec2 b) { return {a.x - b.x, a.y - b.y}; }
ImVec2 operator*(float factor, ImVec2 a) { return {factor * a.x, factor * a.y}; }
float length(ImVec2 a) { return std::hypot(a.x, a.y); }

ImVec2 unit(ImVec2 a) {
  const float size = length(a);
  return size > 1e-3F ? (1.0F / size) * a : ImVec2{0.0F, 1.0F};
}

ImU32 axis_color(const OverlayStyle& style, glm::length_t axis) {
  return axis == 0 ? style.x : axis == 1 ? style.y : style.z;
}

glm::dvec3 along(glm::length_t axis) {
  glm::dvec3 direction(0.0);
  direction[axis] = 1.0;
  return direction;
}

/// An arrow of the corner: where its end is, right and down, and how near it comes.
struct Arrow {
  glm::length_t axis;
  ImVec2 end;
  double towards;
};

std::array<Arrow, 3> arrows_of(const render::Camera& camera, float size) {
  std::array<Arrow, 3> arrows{};
  for (glm::length_t axis = 0; axis < 3; ++axis) {
    const auto direction = along(axis);
    const ImVec2 seen{static_cast<float>(glm::dot(direction, camera.right())),
                      static_cast<float>(-glm::dot(direction, camera.up()))};
    arrows.at(static_cast<std::size_t>(axis)) = {axis, size * seen, -glm::dot(direction, camera.forward())};
  }
  std::ranges::sort(arrows, {}, &Arrow::towards);
  return arrows;
}

/// A line with a halo.
void draw_line(const OverlaySheet& sheet, ImVec2 from, ImVec2 to, ImU32 color, float width) {
  sheet.list.AddLine(from, to, sheet.style.halo, width + 2.0F);
  sheet.list.AddLine(from, to, color, width);
}

void draw_head(const OverlaySheet& sheet, ImVec2 tip, ImVec2 direction, ImU32 color) {
  const float size = 0.38F * sheet.line();
  const ImVec2 side{-0.42F * size * direction.y, 0.42F * size * direction.x};
  const ImVec2 back = tip - size * direction;
  sheet.list.AddTriangleFilled(tip, back + side, back - side, color);
}

void write_centered(const OverlayPen& pen, ImVec2 middle, const std::string& text) {
  pen.write({middle.x - 0.5F * pen.width(text), middle.y - 0.5F * pen.size()}, text);
}

/// Draws an axis along the line of sight: a dot in a ring towards the viewer, an empty ring away from it.
void draw_end_on(const OverlaySheet& sheet, ImVec2 middle, const Arrow& arrow, const OverlayPen& pen) {
  const float radius = 0.32F * sheet.line();
  sheet.list.AddCircle(middle, radius, pen.color, 0, 1.4F * sheet.thin());
  if (arrow.towards > 0.0) sheet.list.AddCircleFilled(middle, 0.4F * radius, pen.color);
  write_centered(pen, middle + (0.75F * sheet.line()) * ImVec2{-1.0F, 0.8F},
                 names.at(static_cast<std::size_t>(arrow.axis)));
}

void draw_arrow(const OverlaySheet& sheet, ImVec2 middle, const Arrow& arrow) {
  auto pen = text_pen(sheet);
  pen.color = axis_color(sheet.style, arrow.axis);
  if (length(arrow.end) < 0.35F * sheet.line()) return draw_end_on(sheet, middle, arrow, pen);
  const auto direction = unit(arrow.end);
  const auto tip = middle + arrow.end;
  draw_line(sheet, middle, tip - (0.3F * sheet.line()) * direction, pen.color, 1.6F * sheet.thin());
  draw_head(sheet, tip, direction, pen.color);
  write_centered(pen, tip + (0.65F * sheet.line()) * direction,
                 names.at(static_cast<std::size_t>(arrow.axis)));
}

/// Corners are numbered by bits: 1 for the upper end of x, 2 of y, 4 of z.
struct Box3 {
  glm::dvec3 low, high;
  glm::dvec3 corner(unsigned bits) const {
    return {(bits & 1U) != 0 ? high.x : low.x, (bits & 2U) != 0 ? high.y : low.y,
            (bits & 4U) != 0 ? high.z : low.z};
  }
};

/// An edge: along an axis, beginning at a corner of the box, whose bit of that axis is 0.
struct Edge {
  glm::length_t axis;
  unsigned from;
  unsigned to() const { return from | (1U << static_cast<unsigned>(axis)); }
};

/// Draws the box of one scene.
class BoxDrawing {
 public:
  BoxDrawing(const OverlaySheet& sheet, const PictureInput& picture, const sim::PhysicalUnits& units)
      : sheet_(sheet), eye_(picture, sheet.size), unit_(sim::length_measure(picture.summary.radius, units)) {
    box_ = {picture.summary.box_low, picture.summary.box_high};
    origin_ = picture.summary.origin;
    const auto size = (box_.high - box_.low) * unit_.factor;
    const double largest = std::max({size.x, size.y, size.z});
    for (glm::length_t axis = 0; axis < 3; ++axis) {
      const double low = (origin_[axis] + box_.low[axis]) * unit_.factor;
      const auto wanted = std::max(2L, std::lround(5.0 * size[axis] / largest));
      ticks_.at(static_cast<std::size_t>(axis)) =
          plots::ticks({.label = {}, .low = low, .high = low + size[axis]}, static_cast<int>(wanted));
    }
  }

  void draw_lines() const {
    draw_grid();
    draw_edges();
  }
  void draw_numbers() const {
    for (glm::length_t axis = 0; axis < 3; ++axis) label(axis);
  }

 private:
  /// True if the side of the box faces away: what is in the box lies before it.
  bool is_far(glm::length_t axis, bool high) const {
    const double at = eye_.position()[axis];
    return high ? at <= box_.high[axis] : at >= box_.low[axis];
  }

  void line(const glm::dvec3& from, const glm::dvec3& to, ImU32 color, float width) const {
    if (const auto seen = eye_.see(from, to)) sheet_.list.AddLine(seen->first, seen->second, color, width);
  }

  /// Numbers count from 0, the picture from the origin of the dataset.
  double place_of(const plots::Tick& tick, glm::length_t axis) const {
    return tick.value / unit_.factor - origin_[axis];
  }

  void draw_grid() const {
    for (glm::length_t axis = 0; axis < 3; ++axis)
      for (const bool high : {false, true})
        if (is_far(axis, high)) draw_side(axis, high ? box_.high[axis] : box_.low[axis]);
  }

  /// Lines at all ticks across a side.
  void draw_side(glm::length_t axis, double at) const {
    for (const auto& [fixed, other] :
         {std::pair{(axis + 1) % 3, (axis + 2) % 3}, std::pair{(axis + 2) % 3, (axis + 1) % 3}}) {
      for (const auto& tick : ticks_.at(static_cast<std::size_t>(fixed))) {
        glm::dvec3 from = box_.low, to = box_.high;
        from[axis] = to[axis] = at;
        from[fixed] = to[fixed] = place_of(tick, fixed);
        from[other] = box_.low[other];
        to[other] = box_.high[other];
        line(from, to, sheet_.style.faint, sheet_.thin());
      }
    }
  }

  void draw_edges() const {
    for (glm::length_t axis = 0; axis < 3; ++axis)
      for (unsigned bits = 0; bits < 8; ++bits) {
        if ((bits >> static_cast<unsigned>(axis) & 1U) != 0) continue;
        const Edge edge{axis, bits};
        const bool far = far_sides(edge) > 0;
        line(box_.corner(edge.from), box_.corner(edge.to()), far ? sheet_.style.line : sheet_.style.faint,
             sheet_.thin());
      }
  }

  /// The number of far sides, of the two that meet at an edge.
  int far_sides(const Edge& edge) const {
    int count = 0;
    for (glm::length_t axis = 0; axis < 3; ++axis)
      if (axis != edge.axis)
        count += is_far(axis, (edge.from >> static_cast<unsigned>(axis) & 1U) != 0) ? 1 : 0;
    return count;
  }

  /// True if most of a line is in what is free of the picture.
  bool is_in_sight(ImVec2 from, ImVec2 to) const {
    constexpr int pieces = 8;
    int inside = 0;
    for (int k = 0; k <= pieces; ++k) {
      const auto at = from + (static_cast<float>(k) / pieces) * (to - from);
      const bool in = at.x > sheet_.left && at.x < sheet_.size.x && at.y > 0.0F && at.y < sheet_.size.y;
      inside += in ? 1 : 0;
    }
    return inside > pieces / 2 && length(to - from) > 5.0F * sheet_.line();
  }

  /// The lowest in the picture of the edges along an axis with this many far sides; for edges upright in the
  /// picture the leftmost.
  std::optional<Edge> edge_of(glm::length_t axis, int sides) const {
    std::optional<Edge> best;
    float lowest = 0.0F;
    for (unsigned bits = 0; bits < 8; ++bits) {
      const Edge edge{axis, bits};
      if ((bits >> static_cast<unsigned>(axis) & 1U) != 0 || far_sides(edge) != sides) continue;
      const auto from = eye_.see(box_.corner(edge.from)), to = eye_.see(box_.corner(edge.to()));
      if (!from || !to || !is_in_sight(*from, *to)) continue;
      const auto way = *to - *from;
      const auto middle = 0.5F * (*from + *to);
      const float down = std::abs(way.y) > 1.5F * std::abs(way.x) ? -middle.x : middle.y;
      if (!best || down > lowest) {
        best = edge;
        lowest = down;
      }
    }
    return best;
  }

  /// One that bounds what is seen of the box, or where these are out of sight one behind everything. Empty:
  /// the eye looks along the axis, or is too near.
  std::optional<Edge> edge_of(glm::length_t axis) const {
    const auto edge = edge_of(axis, 1);
    return edge ? edge : edge_of(axis, 2);
  }

  /// Away from the middle of the box, across the edge.
  ImVec2 outwards(ImVec2 from, ImVec2 to) const {
    const auto way = unit(to - from);
    ImVec2 out{-way.y, way.x};
    const auto middle = eye_.see(0.5 * (box_.low + box_.high));
    if (middle && out.x * (from.x - middle->x) + out.y * (from.y - middle->y) < 0.0F) out = -1.0F * out;
    return out;
  }

  void label(glm::length_t axis) const {
    const auto edge = edge_of(axis);
    if (!edge) return;
    const auto from = *eye_.see(box_.corner(edge->from)), to = *eye_.see(box_.corner(edge->to()));
    const auto out = outwards(from, to);
    const auto pen = small_pen(sheet_);
    float last_end = -1.0F;
    float widest = 0.0F;
    for (const auto& tick : ticks_.at(static_cast<std::size_t>(axis))) {
      auto point = box_.corner(edge->from);
      point[axis] = place_of(tick, axis);
      const auto at = eye_.see(point);
      if (!at) continue;
      sheet_.list.AddLine(*at, *at + (0.35F * sheet_.line()) * out, sheet_.style.line, sheet_.thin());
      // Numbers need room along the edge.
      const float place = length(*at - from);
      const float room = std::abs(out.x) > 0.7F ? pen.size() : pen.width(tick.text);
      if (last_end >= 0.0F && place - last_end < 0.6F * (room + pen.size())) continue;
      last_end = place + 0.4F * room;
      widest = std::max(widest, pen.width(tick.text));
      write_outside(pen, *at, out, tick.text);
    }
    name(axis, 0.5F * (from + to), out, widest);
  }

  /// The text next to a point of an edge.
  void write_outside(const OverlayPen& pen, ImVec2 at, ImVec2 out, const std::string& text) const {
    const ImVec2 half{0.5F * pen.width(text), 0.5F * pen.size()};
    const float away = 0.55F * sheet_.line() + std::abs(out.x) * half.x + std::abs(out.y) * half.y;
    write_free(pen, at + away * out, half, text);
  }

  void write_free(const OverlayPen& pen, ImVec2 middle, ImVec2 half, const std::string& text) const {
    const OverlayBox box{middle - half, middle + half};
    if (!sheet_.is_free(box) || box.from.x < sheet_.left || box.from.y < 0.0F || box.to.x > sheet_.size.x ||
        box.to.y > sheet_.size.y)
      return;
    write_centered(pen, middle, text);
    sheet_.taken.push_back(box);
  }

  void name(glm::length_t axis, ImVec2 at, ImVec2 out, float widest) const {
    auto pen = text_pen(sheet_);
    pen.color = axis_color(sheet_.style, axis);
    const std::string letter = names.at(static_cast<std::size_t>(axis));
    const auto text = unit_.name.empty() ? letter : fmt::format("{} ({})", letter, unit_.name);
    const ImVec2 half{0.5F * pen.width(text), 0.5F * pen.size()};
    const float numbers = std::abs(out.x) * widest + std::abs(out.y) * letter_height(*sheet_.small);
    const float away = 0.9F * sheet_.line() + numbers + std::abs(out.x) * half.x + std::abs(out.y) * half.y;
    write_free(pen, at + away * out, half, text);
  }

  const OverlaySheet& sheet_;
  OverlayProjection eye_;
  sim::Measure unit_;
  Box3 box_{};
  glm::dvec3 origin_{0.0};
  std::array<std::vector<plots::Tick>, 3> ticks_;
};

}  // namespace

float draw_axis_arrows(const OverlaySheet& sheet, ImVec2 corner, const render::Camera& camera) {
  const float size = 2.1F * sheet.line();
  const float square = 2.0F * (size + 0.9F * sheet.line());
  const ImVec2 middle{corner.x + 0.5F * square, corner.y - 0.5F * square};
  for (const auto& arrow : arrows_of(camera, size)) draw_arrow(sheet, middle, arrow);
  sheet.taken.push_back({{corner.x, corner.y - square}, {corner.x + square, corner.y}});
  return square;
}

void draw_axis_box(const OverlaySheet& sheet, const PictureInput& picture, const sim::PhysicalUnits& units) {
  BoxDrawing(sheet, picture, units).draw_lines();
}

void draw_axis_numbers(const OverlaySheet& sheet, const PictureInput& picture,
                       const sim::PhysicalUnits& units) {
  BoxDrawing(sheet, picture, units).draw_numbers();
}

}  // namespace orrery::app
