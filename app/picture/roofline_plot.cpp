#include "app/picture/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/pen.h"

namespace orrery::app {

namespace {

constexpr ImU32 background = IM_COL32(16, 18, 26, 255);
constexpr ImU32 grid_color = IM_COL32(58, 64, 80, 255);
constexpr ImU32 text_color = IM_COL32(225, 228, 235, 255);
constexpr ImU32 issue_color = IM_COL32(255, 170, 60, 255);
constexpr ImU32 special_color = IM_COL32(90, 210, 120, 255);
constexpr ImU32 reference_color = IM_COL32(240, 100, 160, 255);
constexpr ImU32 lead_color = IM_COL32(110, 118, 140, 255);
constexpr ImU32 point_color = IM_COL32(95, 165, 255, 255);

constexpr std::size_t most_names = 16;

/// What limits a kernel, and how much of it was reached.
struct Limit {
  const char* name;
  double gips;
};

Limit nearer_limit(const lab::Roofline& roofline, const lab::RooflinePoint& point) {
  const Limit issue{"issue", roofline.instruction_rate / point.slots};
  if (point.special <= 0.0 || roofline.special_rate <= 0.0) return issue;
  const Limit special{"special", roofline.special_rate / point.special};
  return special.gips < issue.gips ? special : issue;
}

/// Draws one figure.
class Drawing {
 public:
  Drawing(ImDrawList& list, const lab::Roofline& roofline, const RooflineFrame& frame, float scale)
      : list_(list), roofline_(roofline), frame_(frame), scale_(scale) {}

  void grid() const {
    const auto pen = pen_of(13.0F, text_color);
    const auto [left, top] = frame_.corner;
    const float right = left + frame_.size.x;
    const float bottom = top + frame_.size.y;
    for (const double value : frame_.x.ticks()) {
      const float x = frame_.at(value, frame_.y.low).x;
      list_.AddLine({x, top}, {x, bottom}, grid_color, scale_);
      const auto text = fmt::format("{:g}", value);
      pen.write({x - 0.5F * pen.width(text), bottom + 0.4F * pen.size}, text);
    }
    for (const double value : frame_.y.ticks()) {
      const float y = frame_.at(frame_.x.low, value).y;
      list_.AddLine({left, y}, {right, y}, grid_color, scale_);
      const auto text = fmt::format("{:g}", value);
      pen.write({left - pen.width(text) - 0.5F * pen.size, y - 0.5F * pen.size}, text);
    }
    list_.AddRect(frame_.corner, {right, bottom}, text_color, 0.0F, 0, scale_);
  }

  void titles(ImVec2 origin) const {
    const auto large = pen_of(18.0F, text_color);
    large.write({frame_.corner.x, origin.y + 0.6F * large.size}, roofline_.title);
    const auto pen = pen_of(14.0F, text_color);
    pen.write({frame_.corner.x, frame_.corner.y - 1.4F * pen.size}, "GInteractions/s");
    const std::string below = "instructions issued for an interaction (counted in the machine code)";
    const float middle = frame_.corner.x + 0.5F * (frame_.size.x - pen.width(below));
    pen.write({middle, frame_.corner.y + frame_.size.y + 1.8F * pen.size}, below);
  }

  void limits() const {
    list_.PushClipRect(frame_.corner, {frame_.corner.x + frame_.size.x, frame_.corner.y + frame_.size.y});
    const double rate = roofline_.instruction_rate;
    list_.AddLine(frame_.at(frame_.x.low, rate / frame_.x.low),
                  frame_.at(frame_.x.high, rate / frame_.x.high), issue_color, 2.5F * scale_);
    if (roofline_.special_rate > 0.0) {
      list_.AddLine(frame_.at(frame_.x.low, roofline_.special_rate),
                    frame_.at(frame_.x.high, roofline_.special_rate), special_color, 2.5F * scale_);
    }
    const double slots = roofline_.reference_slots;
    list_.AddCircle(frame_.at(slots, rate / slots), 8.0F * scale_, reference_color, 0, 2.5F * scale_);
    list_.PopClipRect();
  }

  void point(std::size_t k) const {
    const auto& each = roofline_.points[k];
    const auto center = frame_.at(each.slots, each.gips);
    if (each.special > 0.0 && each.special != 1.0 && roofline_.special_rate > 0.0) {
      const auto own = frame_.at(each.slots, roofline_.special_rate / each.special);
      list_.AddLine({own.x - 9.0F * scale_, own.y}, {own.x + 9.0F * scale_, own.y}, special_color,
                    2.5F * scale_);
    }
    list_.AddCircleFilled(center, 5.0F * scale_, point_color);
  }

  /// Names beside the points, or numbers where there are many, where nothing is drawn yet; a line leads to
  /// those that lie apart.
  void names() const {
    const auto pen = pen_of(13.0F, text_color);
    const bool many = roofline_.points.size() > most_names;
    auto taken = marks();
    for (std::size_t k = 0; k < roofline_.points.size(); ++k) {
      const auto text = many ? fmt::format("{}", k + 1) : roofline_.points[k].label;
      const auto place = free_place(roofline_.points[k], {pen.width(text), pen.size}, taken);
      taken.push_back(place.box);
      if (place.apart) lead(roofline_.points[k], place.box);
      pen.write(place.box.corner, text);
    }
  }

  /// Limits and points in words, from `at` down.
  void legend(ImVec2 at, float bottom) const {
    const auto pen = pen_of(13.0F, text_color);
    const float line = 1.35F * pen.size;
    const auto entry = [&](ImU32 color, const std::string& text) {
      list_.AddRectFilled({at.x, at.y + 0.35F * pen.size}, {at.x + pen.size, at.y + 0.65F * pen.size}, color);
      pen.write({at.x + 1.5F * pen.size, at.y}, text);
      at.y += line;
    };
    entry(issue_color, fmt::format("issue limit: {:.0f} G instructions/s", roofline_.instruction_rate));
    if (roofline_.special_rate > 0.0)
      entry(special_color,
            fmt::format("special functions: {:.0f} G/s (dash: unless 1 each)", roofline_.special_rate));
    entry(reference_color, fmt::format("FP32 limit of {:g} slots: {:.0f}", roofline_.reference_slots,
                                       roofline_.instruction_rate / roofline_.reference_slots));
    at.y += 0.5F * line;
    for (std::size_t k = 0; k < roofline_.points.size(); ++k) {
      const bool last = at.y + 2.0F * line > bottom && k + 1 < roofline_.points.size();
      pen.write(at, last ? fmt::format("and {} more", roofline_.points.size() - k) : line_of(k));
      if (last) return;
      at.y += line;
    }
  }

 private:
  Pen pen_of(float size, ImU32 color) const { return {.list = list_, .size = size * scale_, .color = color}; }

  std::string line_of(std::size_t k) const {
    const auto& each = roofline_.points[k];
    const auto limit = nearer_limit(roofline_, each);
    return fmt::format("{} {}: {:.1f} slots, {:.{}f} GI/s, {:.0f} % of {}", k + 1, each.label, each.slots,
                       each.gips, each.gips < 100.0 ? 1 : 0, 100.0 * each.gips / limit.gips, limit.name);
  }

  struct Box {
    ImVec2 corner, size;
    bool overlaps(const Box& other) const {
      return corner.x < other.corner.x + other.size.x && other.corner.x < corner.x + size.x &&
             corner.y < other.corner.y + other.size.y && other.corner.y < corner.y + size.y;
    }
  };

  struct Place {
    Box box;
    bool apart = false;  ///< not beside its point
  };

  Box around_point(ImVec2 center, float reach) const {
    return {{center.x - reach, center.y - reach}, {2.0F * reach, 2.0F * reach}};
  }

  /// The points, and the ring of the FP32 limit.
  std::vector<Box> marks() const {
    std::vector<Box> all;
    for (const auto& each : roofline_.points)
      all.push_back(around_point(frame_.at(each.slots, each.gips), 6.0F * scale_));
    const double slots = roofline_.reference_slots;
    all.push_back(around_point(frame_.at(slots, roofline_.instruction_rate / slots), 10.0F * scale_));
    return all;
  }

  /// Right of the point, left of it, some lines below or above; else farther away.
  Place free_place(const lab::RooflinePoint& point, ImVec2 size, const std::vector<Box>& taken) const {
    const auto center = frame_.at(point.slots, point.gips);
    Place place;
    for (int attempt = 0; attempt < 64; ++attempt) {
      const bool left = attempt % 2 == 1;
      const int row = attempt / 2 % 8;  // 0, 1 below, 1 above, 2 below, ...
      const auto line = static_cast<float>(row % 2 == 1 ? (row + 1) / 2 : -row / 2);
      const int column = attempt / 16;
      const float reach = 8.0F * scale_ + static_cast<float>(column) * 1.2F * size.x;
      place = {
          .box = {{left ? center.x - reach - size.x : center.x + reach, center.y + (line - 0.5F) * size.y},
                  size},
          .apart = attempt > 1};
      if (std::ranges::none_of(taken, [&](const Box& other) { return other.overlaps(place.box); })) break;
    }
    return place;
  }

  void lead(const lab::RooflinePoint& point, const Box& box) const {
    const auto center = frame_.at(point.slots, point.gips);
    const bool left = box.corner.x < center.x;
    list_.AddLine(center, {left ? box.corner.x + box.size.x : box.corner.x, box.corner.y + 0.5F * box.size.y},
                  lead_color, scale_);
  }

  ImDrawList& list_;
  const lab::Roofline& roofline_;
  const RooflineFrame& frame_;
  float scale_;
};

lab::LogAxis around(double low, double high, double margin) { return {low / margin, high * margin}; }

}  // namespace

ImVec2 RooflineFrame::at(double slots, double gips) const {
  return {corner.x + size.x * static_cast<float>(x.place(slots)),
          corner.y + size.y * static_cast<float>(1.0 - y.place(gips))};
}

RooflineFrame roofline_frame(const lab::Roofline& roofline, ImVec2 origin, ImVec2 size, float scale) {
  double few = roofline.reference_slots;
  double many = roofline.reference_slots;
  double slow = roofline.instruction_rate / roofline.reference_slots;
  double fast = std::max(slow, roofline.special_rate);
  for (const auto& point : roofline.points) {
    few = std::min(few, point.slots);
    many = std::max(many, point.slots);
    slow = std::min(slow, point.gips);
    fast = std::max({fast, point.gips, roofline.instruction_rate / point.slots});
  }
  const ImVec2 corner{origin.x + 70.0F * scale, origin.y + 70.0F * scale};
  return {.x = around(few, many, 1.4),
          .y = around(slow, fast, 1.5),
          .corner = corner,
          .size = {size.x - 600.0F * scale, size.y - 130.0F * scale}};
}

void draw_roofline(ImDrawList& list, ImVec2 origin, ImVec2 size, float scale, const lab::Roofline& roofline) {
  const auto frame = roofline_frame(roofline, origin, size, scale);
  list.AddRectFilled(origin, {origin.x + size.x, origin.y + size.y}, background);
  const Drawing drawing(list, roofline, frame, scale);
  drawing.grid();
  drawing.titles(origin);
  drawing.limits();
  drawing.names();
  for (std::size_t k = 0; k < roofline.points.size(); ++k) drawing.point(k);
  const ImVec2 right{frame.corner.x + frame.size.x + 20.0F * scale, frame.corner.y};
  drawing.legend(right, origin.y + size.y);
}

}  // namespace orrery::app
