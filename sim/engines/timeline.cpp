#include "sim/engines/timeline.h"

#include <array>

namespace orrery::sim {

double HostTimeline::milliseconds(Clock::time_point time) const {
  return std::chrono::duration<double, std::milli>(time - start_).count();
}

void HostTimeline::add(TimelineKind activity, Clock::time_point start, Clock::time_point end) {
  timeline_.spans.push_back(
      {.activity = activity, .start_ms = milliseconds(start), .end_ms = milliseconds(end)});
}

std::string_view activity_name(TimelineKind activity) {
  static constexpr std::array<std::string_view, activity_count> names{"copy in",  "forces",   "update",
                                                                      "copy out", "exchange", "sums"};
  return names.at(static_cast<std::size_t>(activity));
}

}  // namespace orrery::sim
