#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// The kind of work in a span of a timeline.
enum class TimelineKind {
  copy_in,
  forces,  ///< the kernel that computes them, with what it needs before
  update,
  copy_out,
  exchange,
  sums,  ///< kernels that add partial sums of forces
};

/// One piece of work of a device, between two events of the device's clock.
struct TimelineSpan {
  TimelineKind activity = TimelineKind::forces;
  int device = 0;         ///< ordinal
  int stream = 0;         ///< stream number on the device, from 0
  int galaxy = -1;        ///< global number; -1: all of the device's
  int step = 0;           ///< from 0
  double start_ms = 0.0;  ///< since the timeline's beginning; devices start together, to the host's precision
  double end_ms = 0.0;
};

/// The work of the streams of every device, in the order in which it was queued.
struct Timeline {
  std::string schedule;  ///< as in --set schedule=NAME; of the CPU engine its kernel
  std::vector<TimelineSpan> spans;
};

/// The number of timeline kinds.
inline constexpr std::size_t activity_count = 6;
/// "copy in", "forces", ...
constexpr std::string_view activity_name(TimelineKind activity) {
  constexpr std::array<std::string_view, activity_count> names{"copy in",  "forces",   "update",
                                                               "copy out", "exchange", "sums"};
  return names.at(static_cast<std::size_t>(activity));
}

}  // namespace orrery::sim
