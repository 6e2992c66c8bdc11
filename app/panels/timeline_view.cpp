#include "app/panels/timeline_view.h"

#include <algorithm>

namespace orrery::app {

namespace {

/// The shortest part that can be shown, of the whole.
constexpr double smallest_window = 1e-4;

}  // namespace

TimelineLayout::TimelineLayout(const sim::Timeline& timeline) {
  for (const auto& span : timeline.spans) {
    start_ms = std::min(start_ms, span.start_ms);
    end_ms = std::max(end_ms, span.end_ms);
    rows.push_back({span.device, span.stream});
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
}

std::size_t TimelineLayout::row_of(const sim::TimelineSpan& span) const {
  const auto found = std::lower_bound(rows.begin(), rows.end(), Row{span.device, span.stream});
  return static_cast<std::size_t>(found - rows.begin());
}

const sim::TimelineSpan* TimelineLayout::span_at(const sim::Timeline& timeline, std::size_t row,
                                                 double time_ms) const {
  const sim::TimelineSpan* found = nullptr;
  for (const auto& span : timeline.spans) {
    if (row_of(span) == row && span.start_ms <= time_ms && time_ms <= span.end_ms) found = &span;
  }
  return found;
}

std::vector<double> TimelineLayout::busy_ms(const sim::Timeline& timeline) const {
  std::vector<double> busy(sim::activity_count, 0.0);
  for (const auto& span : timeline.spans)
    busy.at(static_cast<std::size_t>(span.activity)) += span.end_ms - span.start_ms;
  return busy;
}

std::vector<std::string> device_names(const sim::Timeline& timeline, const std::string& device) {
  const TimelineLayout layout(timeline);
  if (layout.rows.empty() || layout.rows.front().device != layout.rows.back().device) return {};
  const auto ordinal = static_cast<std::size_t>(std::max(layout.rows.front().device, 0));
  std::vector<std::string> names(ordinal + 1);
  names.back() = device;
  return names;
}

void TimeWindow::zoom(double factor, double at) {
  const double width = to - from;
  const double fixed = from + at * width;
  const double wanted = std::clamp(width / factor, smallest_window, 1.0);
  from = std::clamp(fixed - at * wanted, 0.0, 1.0 - wanted);
  to = from + wanted;
}

void TimeWindow::move(double by) {
  const double width = to - from;
  from = std::clamp(from + by * width, 0.0, 1.0 - width);
  to = from + width;
}

}  // namespace orrery::app
