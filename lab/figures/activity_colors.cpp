#include "lab/figures/activity_colors.h"

namespace orrery::lab {

plots::Color activity_color(sim::Activity activity) {
  constexpr std::size_t blue = 0, vermillion = 1, green = 2, purple = 3, orange = 4, sky = 5;
  switch (activity) {
    case sim::Activity::copy_in:
      return plots::distinct(blue);
    case sim::Activity::forces:
      return plots::distinct(orange);
    case sim::Activity::update:
      return plots::distinct(green);
    case sim::Activity::copy_out:
      return plots::distinct(purple);
    case sim::Activity::sums:
      return plots::distinct(sky);
    case sim::Activity::exchange:
      break;
  }
  return plots::distinct(vermillion);
}

}  // namespace orrery::lab
