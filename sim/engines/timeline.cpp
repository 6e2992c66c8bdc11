#include "sim/engines/timeline.h"

#include <array>

namespace orrery::sim {

std::string_view activity_name(TimelineKind activity) {
  static constexpr std::array<std::string_view, activity_count> names{"copy in",  "forces",   "update",
                                                                      "copy out", "exchange", "sums"};
  return names.at(static_cast<std::size_t>(activity));
}

}  // namespace orrery::sim
