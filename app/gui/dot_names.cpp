#include "app/gui/dot_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace orrery::app {

namespace {

constexpr float gap = 3.0F;

struct Box {
  ImVec2 low, high;
  bool overlaps(const Box& other) const {
    return low.x < other.high.x && high.x > other.low.x && low.y < other.high.y && high.y > other.low.y;
  }
  bool is_within(const Box& outer) const {
    return low.x >= outer.low.x && high.x <= outer.high.x && low.y >= outer.low.y && high.y <= outer.high.y;
  }
};

Box box_of(const NamedDot& dot) {
  return {{dot.at.x - dot.radius, dot.at.y - dot.radius}, {dot.at.x + dot.radius, dot.at.y + dot.radius}};
}

Box box_at(ImVec2 corner, ImVec2 size) { return {corner, {corner.x + size.x, corner.y + size.y}}; }

/// Right of the dot, left of it, above, below, and towards the corners; or these first.
std::array<ImVec2, 8> corners_beside(const NamedDot& dot, DotNames which) {
  const auto& [at, radius, size] = dot;
  const float half = 0.5F * size.y;
  const float left = at.x - radius - gap - size.x, middle = at.x - 0.5F * size.x, right = at.x + radius + gap;
  const float above = at.y - size.y - radius, below = at.y + radius;
  std::array corners{ImVec2{right, at.y - half},  ImVec2{left, at.y - half},   ImVec2{middle, above - gap},
                     ImVec2{middle, below + gap}, ImVec2{right, above + half}, ImVec2{right, below - half},
                     ImVec2{left, above + half},  ImVec2{left, below - half}};
  if (which == DotNames::off_lines) std::rotate(corners.begin(), corners.begin() + 4, corners.end());
  return corners;
}

float line_height(const std::vector<NamedDot>& dots) {
  float height = 0.0F;
  for (const auto& dot : dots) height = std::max(height, dot.name.y);
  return height;
}

bool has_neighbor(const std::vector<NamedDot>& dots, std::size_t index, float distance) {
  for (std::size_t k = 0; k < dots.size(); ++k)
    if (k != index && std::hypot(dots[k].at.x - dots[index].at.x, dots[k].at.y - dots[index].at.y) < distance)
      return true;
  return false;
}

struct Segment {
  ImVec2 from, to;

  /// Cut at one pair of a box's sides after the other: a part must be left (Liang and Barsky 1984).
  bool meets(const Box& box) const {
    float first = 0.0F, last = 1.0F;
    const auto cut = [&](float start, float way, float low, float high) {
      if (way == 0.0F) return start > low && start < high;
      const float at_low = (low - start) / way, at_high = (high - start) / way;
      first = std::max(first, std::min(at_low, at_high));
      last = std::min(last, std::max(at_low, at_high));
      return first < last;
    };
    return cut(from.x, to.x - from.x, box.low.x, box.high.x) &&
           cut(from.y, to.y - from.y, box.low.y, box.high.y);
  }
};

/// Names, dots and lines that are in a plot already.
class NameRoom {
 public:
  NameRoom(const std::vector<NamedDot>& dots, Box area) : area_(area) {
    for (const auto& dot : dots) dots_.push_back(box_of(dot));
  }

  std::optional<DotName> beside(const NamedDot& dot, DotNames which) {
    for (const auto& corner : corners_beside(dot, which)) {
      const auto name = box_at(corner, dot.name);
      if (!is_free(name)) continue;
      names_.push_back(name);
      return DotName{corner};
    }
    return std::nullopt;
  }

  /// Ever farther away, in many directions, at least `away`. Its line crosses no name, unless it may.
  std::optional<DotName> by_a_line(const NamedDot& dot, float away, bool crosses) {
    constexpr int directions = 36;
    if (!dot_fits(dot)) return std::nullopt;
    const float line = std::max(0.6F * dot.name.y, 4.0F);
    const float farthest = std::hypot(area_.high.x - area_.low.x, area_.high.y - area_.low.y);
    for (float way = dot.radius + std::max(line, away); way < farthest; way += line) {
      for (int k = 0; k < directions; ++k) {
        const float angle = 2.0F * std::numbers::pi_v<float> * static_cast<float>(k) / directions;
        if (const auto name = at_end(dot, {std::cos(angle), std::sin(angle)}, way, crosses)) return name;
      }
    }
    return std::nullopt;
  }

 private:
  bool dot_fits(const NamedDot& dot) const {
    return dot.name.x <= area_.high.x - area_.low.x && dot.name.y <= area_.high.y - area_.low.y;
  }

  bool is_free(const Box& box) const {
    const auto overlaps = [&](const Box& other) { return box.overlaps(other); };
    return box.is_within(area_) && std::ranges::none_of(dots_, overlaps) &&
           std::ranges::none_of(names_, overlaps) &&
           std::ranges::none_of(lines_, [&](const Segment& line) { return line.meets(box); });
  }

  std::optional<DotName> at_end(const NamedDot& dot, ImVec2 direction, float way, bool crosses) {
    const ImVec2 end{dot.at.x + way * direction.x, dot.at.y + way * direction.y};
    const ImVec2 corner{end.x - 0.5F * (1.0F - direction.x) * dot.name.x,
                        end.y - 0.5F * (1.0F - direction.y) * dot.name.y};
    const auto name = box_at(corner, dot.name);
    const Segment line{edge_of(dot, end), end};
    if (!is_free(name) || !(crosses || lets_pass(dot, line))) return std::nullopt;
    names_.push_back(name);
    lines_.push_back(line);
    return DotName{corner, end};
  }

  /// Other lines may be crossed, and dots that touch the one of the line.
  bool lets_pass(const NamedDot& dot, const Segment& line) const {
    const auto own = box_of(dot);
    return std::ranges::none_of(names_, [&](const Box& name) { return line.meets(name); }) &&
           std::ranges::none_of(dots_,
                                [&](const Box& other) { return line.meets(other) && !own.overlaps(other); });
  }

  Box area_;
  std::vector<Box> dots_, names_;
  std::vector<Segment> lines_;
};

}  // namespace

ImVec2 edge_of(const NamedDot& dot, ImVec2 to) {
  const float x = to.x - dot.at.x, y = to.y - dot.at.y, length = std::hypot(x, y);
  const float part = length > 0.0F ? std::min(dot.radius / length, 1.0F) : 0.0F;
  return {dot.at.x + part * x, dot.at.y + part * y};
}

std::vector<std::optional<DotName>> place_names(const std::vector<NamedDot>& dots, ImVec2 low, ImVec2 high,
                                                DotNames which) {
  constexpr int most_tries = 16, tries_per_distance = 2, tries_in_vain = 10;
  std::vector<std::size_t> order(dots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  // Names close to a group of dots wall in those that choose last. These choose first in the next try, and
  // the names of groups move ever farther away.
  std::size_t most_named = 0;
  for (int tries = 0, in_vain = 0;; ++tries) {
    const float away = static_cast<float>(tries / tries_per_distance) * line_height(dots);
    std::vector<std::optional<DotName>> names(dots.size());
    NameRoom room(dots, {low, high});
    for (const auto k : order) {
      if (!has_neighbor(dots, k, 1.5F * away)) names[k] = room.beside(dots[k], which);
      if (!names[k] && which == DotNames::all) names[k] = room.by_a_line(dots[k], away, tries == most_tries);
    }
    const auto named =
        static_cast<std::size_t>(std::ranges::count_if(names, &std::optional<DotName>::has_value));
    in_vain = named > most_named ? 0 : in_vain + 1;
    most_named = std::max(most_named, named);
    const auto nameless = std::ranges::find_if(order, [&](std::size_t k) { return !names[k]; });
    if (which != DotNames::all || nameless == order.end() || tries == most_tries) return names;
    std::rotate(order.begin(), nameless, nameless + 1);
    if (in_vain == tries_in_vain) tries = most_tries - 1;
  }
}

}  // namespace orrery::app
