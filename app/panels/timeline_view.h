#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/timeline.h"

namespace orrery::app {

/// Layout of a timeline: one row for each stream of each device, over its whole duration.
struct TimelineLayout {
  struct Row {
    int device = 0;
    int stream = 0;
    friend bool operator==(const Row&, const Row&) = default;
    friend bool operator<(const Row& a, const Row& b) {
      return std::pair(a.device, a.stream) < std::pair(b.device, b.stream);
    }
  };
  std::vector<Row> rows;  ///< rows ordered by device, then stream
  double start_ms = 0.0;  ///< begin of the timeline: 0, or the begin of the first span if that is earlier
  double end_ms = 0.0;    ///< end of the last span; never before start_ms

  /// Empty rows for a timeline without spans.
  explicit TimelineLayout(const sim::Timeline& timeline);
  /// The row of a span.
  std::size_t row_of(const sim::TimelineSpan& span) const;
  /// The span that runs in a row at a time, the one queued last where several do; nullptr for none.
  const sim::TimelineSpan* span_at(const sim::Timeline& timeline, std::size_t row, double time_ms) const;
  /// The sum of the lengths of all spans, in milliseconds, by activity.
  std::vector<double> busy_ms(const sim::Timeline& timeline) const;
};

/// Device names by ordinal, as far as they are known: `device` if it computes alone; else none.
std::vector<std::string> device_names(const sim::Timeline& timeline, const std::string& device);

/// The part of a timeline that is shown, as fractions of its length: zoomed and moved with the mouse.
struct TimeWindow {
  double from = 0.0;
  double to = 1.0;

  /// Makes the part around `at` (0 to 1 in the window) smaller by `factor`, larger if it is below 1.
  void zoom(double factor, double at);
  /// Moves the view by a fraction of its width, up to the ends.
  void move(double by);
};

/// State of the panel between frames.
struct TimelineView {
  std::shared_ptr<const sim::Timeline> shown;
  bool held = false;  ///< the cursor rests on it: the newest has to wait
  TimeWindow window;
};

/// Draws a timeline that has spans, over the width that is left in the present window: a row for each stream,
/// a coloured bar for each span, which explains itself under the cursor, and the time below. The wheel zooms,
/// dragging moves, a double click shows all again: `window` is what is shown. Rows and times are one item.
/// True while the cursor rests on it.
bool timeline_plot(const sim::Timeline& timeline, TimeWindow& window, float scale);

/// A line for each activity that occurs: its colour and the sum of its times.
void timeline_legend(const sim::Timeline& timeline, float scale);

}  // namespace orrery::app
