#include "lab/figures/activity_colors.h"

namespace orrery::lab {

plots::Color activity_color(sim::TimelineKind activity) {
  constexpr std::size_t blue = 0, vermillion = 1, green = 2, purple = 3, orange = 4, sky = 5;
  switch (activity) {
    case sim::TimelineKind::copy_in:
      return plots::distinct(blue);
    case sim::TimelineKind::forces:
      return plots::distinct(orange);
    case sim::TimelineKind::update:
      return plots::distinct(green);
    case sim::TimelineKind::copy_out:
      return plots::distinct(purple);
    case sim::TimelineKind::sums:
      return plots::distinct(sky);
    case sim::TimelineKind::exchange:
      break;
  }
  return plots::distinct(vermillion);
}

}  // namespace orrery::lab
