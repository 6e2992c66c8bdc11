#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::sim {

/// What a span of a timeline did.
enum class Activity { copy_in, forces, update, copy_out, exchange };

/// One piece of work of a device, between two events of the device's clock.
struct TimelineSpan {
  Activity activity = Activity::forces;
  int device = 0;         ///< ordinal
  int stream = 0;         ///< of that device, from 0
  int galaxy = -1;        ///< global number; -1: all of the device's
  int step = 0;           ///< from 0
  double start_ms = 0.0;  ///< since the timeline's beginning; devices start together, to the host's precision
  double end_ms = 0.0;
};

/// What the streams of every device did, in the order in which it was queued.
struct Timeline {
  std::string schedule;  ///< as in --set schedule=NAME
  std::vector<TimelineSpan> spans;
};

/// "copy in", "forces", ...
std::string_view activity_name(Activity activity);

}  // namespace orrery::sim
