#include "sim/timeline.h"

#include <array>

namespace orrery::sim {

std::string_view activity_name(Activity activity) {
  static constexpr std::array<std::string_view, 5> names{"copy in", "forces", "update", "copy out",
                                                         "exchange"};
  return names.at(static_cast<std::size_t>(activity));
}

}  // namespace orrery::sim
